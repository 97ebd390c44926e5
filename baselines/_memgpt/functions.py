"""The functions that the agent may call. Their descriptions, and the words of every result, are in the prompt pack."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from amem.contract import Source, Tools
from baselines._memgpt.archival_storage import Passage
from baselines._memgpt.core_memory import FunctionError
from baselines._memgpt.entries import Entry
from baselines._memgpt.paging import Page, page_of
from baselines._memgpt.state import AgentState

SEND_MESSAGE = "send_message"


@dataclass(frozen=True, slots=True)
class Signature:
    required: tuple[str, ...]
    optional: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        return self.required + self.optional


SIGNATURES: Mapping[str, Signature] = {
    SEND_MESSAGE: Signature(("message",)),
    "core_memory_append": Signature(("block", "content")),
    "core_memory_replace": Signature(("block", "old_content", "new_content")),
    "conversation_search": Signature(("query",), ("page",)),
    "conversation_search_date": Signature(("start_date", "end_date"), ("page",)),
    "archival_memory_insert": Signature(("content",)),
    "archival_memory_search": Signature(("query",), ("page",)),
}
FUNCTIONS = tuple(SIGNATURES)
MAY_BE_EMPTY = frozenset({"new_content"})


def parameters_of(functions: Iterable[str]) -> tuple[str, ...]:
    """The names of all arguments that these functions take."""
    return tuple(dict.fromkeys(name for function in functions for name in SIGNATURES[function].all))


@dataclass(frozen=True, slots=True)
class Call:
    """A reply of the agent, valid under the pack's schema.

    Arguments are a list: an object with a field for every parameter of every function would have to be filled in whole
    under a strict schema, and a schema apiece needs `oneOf`, which strict modes refuse.
    """

    function: str
    arguments: tuple[tuple[str, str], ...]
    """Name and value."""
    request_heartbeat: bool = False
    thought: str = ""

    @classmethod
    def from_reply(cls, reply: Mapping[str, Any]) -> Call:
        """A pack's schema may leave out `thought` and `request_heartbeat`, and have arguments as objects of `name` and
        `value` or, by position, as strings."""
        function = reply["function"]
        positions = SIGNATURES[function].all if function in SIGNATURES else ()
        pairs = tuple(
            (positions[place] if place < len(positions) else f"no. {place + 1}", argument)
            if isinstance(argument, str)
            else (argument["name"], argument["value"])
            for place, argument in enumerate(reply["arguments"])
        )
        return cls(function, pairs, reply.get("request_heartbeat", False), reply.get("thought", ""))

    def same_as(self, other: Call) -> bool:
        """Whether it would do the same, whatever the thought."""
        return (self.function, self.arguments) == (other.function, other.arguments)

    def to_json(self) -> dict[str, Any]:
        """The reply that it was read from, in a fixed order of fields."""
        arguments = [{"name": name, "value": value} for name, value in self.arguments]
        reply = {"function": self.function, "arguments": arguments, "request_heartbeat": self.request_heartbeat}
        return {"thought": self.thought, **reply}

    def checked_arguments(self) -> dict[str, str]:
        """Raises FunctionError for an argument that is unknown, given twice, missing or empty."""
        if self.function not in SIGNATURES:
            raise FunctionError("unknown_function", self.function)
        signature = SIGNATURES[self.function]
        arguments: dict[str, str] = {}
        for name, value in self.arguments:
            if name not in signature.all:
                raise FunctionError("unknown_argument", name)
            if name in arguments:
                raise FunctionError("repeated_argument", name)
            arguments[name] = value
        for name in signature.required:
            if name not in MAY_BE_EMPTY and not arguments.get(name, "").strip():
                raise FunctionError("missing_argument", name)
        return {name: "" for name in signature.required} | arguments


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
