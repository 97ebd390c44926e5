"""How many tokens a prompt fills, and how many it may."""

from __future__ import annotations

from collections.abc import Sequence

from amem.contract import Tools
from amem.errors import ConfigurationError
from amem.lm.types import Request
from baselines._memgpt.calls import FUNCTIONS, SIGNATURES, parameters_of
from baselines._memgpt.entries import Entry
from baselines._memgpt.queue import MessageQueue
from baselines._memgpt.settings import PAGED, MemGPTSettings
from baselines._memgpt.state import AgentState
from baselines._window import keep_most


class Window:
    """Builds the agent's prompts and measures them in the backbone's tokenizer."""

    def __init__(self, settings: MemGPTSettings, tools: Tools) -> None:
        self._tools = tools
        self.evicts = settings.mode == PAGED
        self.size = min(settings.window, tools.lm.window) if self.evicts else tools.lm.window
        self.warn_tokens = settings.warn_at * self.size

    def request(
        self,
        state: AgentState,
        call: str,
        functions: tuple[str, ...] = FUNCTIONS,
        queue: MessageQueue | None = None,
    ) -> Request:
        """The prompt of `call` with the state's core memory and its queue (or another)."""
        queue = queue or state.queue
        earlier, question, latest = queue.split_at_question()
        return self._tools.prompts.request(
            call,
            core=state.core.blocks,
            hidden=queue.summary.hidden,
            summary=queue.summary.text,
            entries=earlier,
            question=question,
            latest=latest,
            functions=functions,
            parameters=parameters_of(functions),
            most_arguments=max(len(SIGNATURES[function].all) for function in functions),
        )

    def limit(self, request: Request) -> int:
        """Prompt tokens that leave room for the reply."""
        return self.size - self.reply_tokens(request)

    def reply_tokens(self, request: Request) -> int:
        """The longest reply that the request allows."""
        return self._tools.lm.filled(request).sampling.max_tokens or 0

    def excess(self, request: Request) -> int:
        """Tokens by which the request is too long; 0 or less where it fits."""
        return self._tools.lm.count_prompt(request) - self.limit(request)

    def used(self, state: AgentState, call: str) -> int:
        """Prompt tokens of a state as the sum of its parts: asked at every turn, a whole prompt would be too slow."""
        bare = self.request(state, call, queue=MessageQueue(summary=state.queue.summary))
        return self._tools.lm.count_prompt(bare) + self.tokens_of(state.queue.entries)

    def tokens_of(self, entries: Sequence[Entry]) -> int:
        """Tokens of entries as a prompt shows them, with the header of each session."""
        sessions = dict.fromkeys((e.number, e.date_text) for e in entries if e.number is not None)
        headers = sum(self._header_tokens(number, date_text) for number, date_text in sessions)
        return headers + sum(entry.tokens for entry in entries)

    def entry_tokens(self, text: str) -> int:
        """Tokens of an entry and of the line break after it."""
        return self._tools.lm.count_tokens(text) + 1

    def cut(self, text: str, tokens: int) -> str:
        """The longest beginning of `text` that has at most so many tokens."""
        return text[: keep_most(len(text), lambda end: self.entry_tokens(text[:end]) <= tokens) or 0]

    def check(self, state: AgentState, call: str) -> None:
        """Raises ConfigurationError where the instructions leave no room to work in, or no warning can come."""
        limit = self.limit(self.request(state, call))
        free = limit - self.used(state, call)
        if free < self.size // 4:
            raise ConfigurationError(
                f"memgpt: of a window of {self.size} tokens, instructions, core memory and reply leave {free}, less "
                "than a quarter; raise settings.window, take a backbone with a larger one, or a shorter prompt pack"
            )
        if self.evicts and self.warn_tokens >= limit:
            raise ConfigurationError(
                f"memgpt: the warning at {self.warn_tokens:.0f} tokens can't come, prompts may fill {limit} of "
                f"{self.size}; lower settings.warn_at, or max_tokens of the prompt pack's memgpt calls"
            )

    def _header_tokens(self, number: int, date_text: str | None) -> int:
        header = self._tools.prompts.render("session_header", session={"number": number, "date_text": date_text})
        return self.entry_tokens(header)
