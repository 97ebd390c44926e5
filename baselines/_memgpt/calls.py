"""What the agent may call, and a call as it replies it. How the functions are described to it is the prompt pack's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from baselines._memgpt.core_memory import FunctionError

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
