"""The functions at work: what a call does to a state, and the result that the agent reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

from amem.contract import Source, Tools
from baselines._memgpt.archival_storage import Passage
from baselines._memgpt.calls import SEND_MESSAGE, Call
from baselines._memgpt.core_memory import FunctionError
from baselines._memgpt.entries import Entry
from baselines._memgpt.paging import Page, page_of
from baselines._memgpt.state import AgentState


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call led to."""

    text: str
    """The result as the agent reads it."""
    failed: bool = False
    message: str | None = None
    """What `send_message` was given."""
    found: tuple[Source, ...] = ()
    """Turns that `text` shows."""


class Functions:
    """Carries calls out on a state."""

    def __init__(self, state: AgentState, tools: Tools, *, page_size: int, result_chars: int) -> None:
        self._state = state
        self._tools = tools
        self._page_size = page_size
        self._result_chars = result_chars

    def run(self, call: Call) -> Outcome:
        """The outcome of a call; wrong arguments and full blocks are outcomes too."""
        try:
            return self._carry_out(call.function, call.checked_arguments())
        except FunctionError as error:
            return Outcome(self._tools.prompts.render("memgpt_error", code=error.code, about=error.about), failed=True)

    def _carry_out(self, function: str, arguments: dict[str, str]) -> Outcome:
        actions: dict[str, Callable[[dict[str, str]], Outcome]] = {
            SEND_MESSAGE: self._send_message,
            "core_memory_append": self._core_memory_append,
            "core_memory_replace": self._core_memory_replace,
            "conversation_search": self._conversation_search,
            "conversation_search_date": self._conversation_search_date,
            "archival_memory_insert": self._archival_memory_insert,
            "archival_memory_search": self._archival_memory_search,
        }
        return actions[function](arguments)

    def _send_message(self, arguments: dict[str, str]) -> Outcome:
        return Outcome(self._done(SEND_MESSAGE), message=arguments["message"].strip())

    def _core_memory_append(self, arguments: dict[str, str]) -> Outcome:
        self._state.core.append(arguments["block"], arguments["content"])
        return Outcome(self._done("core_memory_append"))

    def _core_memory_replace(self, arguments: dict[str, str]) -> Outcome:
        self._state.core.replace(arguments["block"], arguments["old_content"], arguments["new_content"])
        return Outcome(self._done("core_memory_replace"))

    def _archival_memory_insert(self, arguments: dict[str, str]) -> Outcome:
        content = arguments["content"]
        dated = (entry.date_text for entry in reversed(self._state.recall.entries) if entry.date_text)
        passage = Passage(content, next(dated, None))
        self._state.archival.insert([passage], self._tools.embedder.encode([content]))
        return Outcome(self._done("archival_memory_insert"))

    def _conversation_search(self, arguments: dict[str, str]) -> Outcome:
        found = self._state.recall.search_text(arguments["query"].strip())
        return self._hits(page_of(found, _page(arguments), self._page_size))

    def _conversation_search_date(self, arguments: dict[str, str]) -> Outcome:
        found = self._state.recall.search_dates(_day(arguments["start_date"]), _day(arguments["end_date"]))
        return self._hits(page_of(found, _page(arguments), self._page_size))

    def _archival_memory_search(self, arguments: dict[str, str]) -> Outcome:
        vector = self._tools.embedder.encode([arguments["query"]])[0]
        return self._hits(self._state.archival.search(vector, _page(arguments), self._page_size))

    def _done(self, function: str) -> str:
        return self._tools.prompts.render("memgpt_done", function=function)

    def _hits(self, page: Page[Entry] | Page[Passage]) -> Outcome:
        text = self._tools.prompts.render("memgpt_hits", results=page)[: self._result_chars]
        shown = (hit.turn_id for hit in page.items if hit.turn_id and hit.text in text)
        return Outcome(text, found=tuple(Source(turn_id) for turn_id in shown))


def _page(arguments: Mapping[str, str]) -> int:
    text = arguments.get("page", "").strip() or "1"
    if not text.isascii() or not text.isdigit() or len(text) > 6 or int(text) < 1:
        raise FunctionError("bad_page", text)
    return int(text)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text.strip()[:10])
    except ValueError as error:
        raise FunctionError("bad_date", text) from error
