"""A MemGPT agent at work on one state: what it reads and writes, and how it makes room."""

from __future__ import annotations

from collections import Counter
from datetime import date

from amem.contract import Tools
from amem.lm.types import FailureKind, ModelFailure, Request
from baselines._memgpt.calls import FUNCTIONS
from baselines._memgpt.entries import Entry, Kind
from baselines._memgpt.functions import Functions
from baselines._memgpt.settings import MemGPTSettings
from baselines._memgpt.state import AgentState
from baselines._memgpt.summarising import Summariser
from baselines._memgpt.window import Window


class Agent:
    """Wraps a state for as long as something is done with it; counts into `counters`."""

    def __init__(self, state: AgentState, settings: MemGPTSettings, tools: Tools, counters: Counter[str]) -> None:
        self.state = state
        self.settings = settings
        self.tools = tools
        self.counters = counters
        self.window = Window(settings, tools)
        self.functions = Functions(state, tools, page_size=settings.page_size, result_chars=settings.result_chars)
        self._summariser = Summariser(tools, self.window, settings.summary_words, counters)

    def record(
        self,
        kind: Kind,
        text: str,
        *,
        number: int | None = None,
        date_text: str | None = None,
        when: date | None = None,
        turn_id: str | None = None,
    ) -> None:
        """Add an entry to the queue and to recall storage."""
        tokens = self.window.entry_tokens(text)
        entry = Entry(len(self.state.recall), kind, text, tokens, number, date_text, when, turn_id)
        self.state.recall.add(entry)
        self.state.queue.entries.append(entry)

    def notice(self, kind: str, reply: str = "") -> None:
        """Tell the agent something, perhaps of a reply that it gave; the words are the pack's."""
        self.record(Kind.NOTICE, self.tools.prompts.render("memgpt_notice", kind=kind, reply=reply))

    def request(self, call: str, functions: tuple[str, ...] = FUNCTIONS) -> Request:
        """The agent's prompt, after evicting what does not fit. Raises ModelFailure where nothing helps."""
        request = self.window.request(self.state, call, functions)
        for keep_last in self._patience():
            if self.window.excess(request) <= 0:
                return request
            self._evict(keep_last)
            request = self.window.request(self.state, call, functions)
        excess = self.window.excess(request)
        if excess > 0:
            way_out = (
                "" if self.window.evicts else "; mode=paged evicts, mode=full needs a backbone with a larger window"
            )
            message = f"memgpt: the prompt is {excess} tokens too long for a window of {self.window.size}{way_out}"
            raise ModelFailure(FailureKind.CONTEXT_OVERFLOW, message, purpose=call)
        return request

    def relieve(self, call: str) -> None:
        """Evict until the next prompt of `call` fits, by the quick measure."""
        limit = self.window.limit(self.window.request(self.state, call))
        for keep_last in self._patience():
            if self.window.used(self.state, call) <= limit:
                return
            self._evict(keep_last)

    def pressed(self, call: str) -> bool:
        """Whether the memory-pressure warning is due."""
        due = self.window.evicts and not self.state.warned
        return due and self.window.used(self.state, call) > self.window.warn_tokens

    def _patience(self) -> tuple[int, ...]:
        """How many of the latest entries each further eviction leaves alone: one of them may be what is too long."""
        return (self.settings.keep_last, 1, 0) if self.window.evicts else ()

    def _evict(self, keep_last: int) -> None:
        fraction = self.settings.evict_fraction if keep_last else 1.0
        queue = self.state.queue
        evicted = queue.evict(fraction, keep_last)
        if evicted:
            self.counters["evictions"] += 1
            queue.summary = self._summariser.summarise(queue.summary, evicted)
            self.state.warned = False
