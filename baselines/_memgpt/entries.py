"""What stands in the queue and in recall storage: one entry a message, call, result or notice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    TURN = "turn"
    """Something that a speaker of the conversation said."""
    QUESTION = "question"
    CALL = "call"
    """A reply of the agent: a function call, or what it wrote instead of one."""
    RESULT = "result"
    NOTICE = "notice"
    """A message of the system to the agent, such as the memory-pressure warning."""


@dataclass(frozen=True, slots=True)
class Entry:
    """`text` is what the agent reads; a turn also has its origin."""

    id: int
    """Position in recall storage."""
    kind: Kind
    text: str
    tokens: int
    """Of `text`, in the backbone's tokenizer."""
    number: int | None = None
    """The session's, for the header under which templates show a turn."""
    date_text: str | None = None
    when: date | None = None
    turn_id: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "kind": self.kind.value, "when": self.when.isoformat() if self.when else None}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Entry:
        when = date.fromisoformat(value["when"]) if value["when"] else None
        return cls(**{**value, "kind": Kind(value["kind"]), "when": when})
