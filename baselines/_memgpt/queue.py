"""The FIFO queue of main context: a recursive summary of what was evicted, then the latest entries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from baselines._memgpt.entries import Entry, Kind


@dataclass(frozen=True, slots=True)
class Summary:
    """The queue's first slot."""

    text: str
    hidden: int
    """Entries that are out of view, all of them in recall storage."""
    turn_ids: tuple[str, ...]
    """Turns that went into `text`."""

    def to_json(self) -> dict[str, Any]:
        return {"text": self.text, "hidden": self.hidden, "turn_ids": list(self.turn_ids)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Summary:
        return cls(value["text"], value["hidden"], tuple(value["turn_ids"]))


NO_SUMMARY = Summary("", 0, ())


class MessageQueue:
    """Entries in order. A question that is being worked on is never evicted: the agent would forget its errand."""

    def __init__(self, entries: Iterable[Entry] = (), summary: Summary = NO_SUMMARY) -> None:
        self.entries = list(entries)
        self.summary = summary

    @property
    def tokens(self) -> int:
        return sum(entry.tokens for entry in self.entries)

    def evict(self, fraction: float, keep_last: int) -> list[Entry]:
        """Take out the oldest entries until more than `fraction` of the tokens are gone, the last ones staying.

        The queue never starts with the result of a call that is gone.
        """
        target, gone, end = fraction * self.tokens, 0, 0
        while end < len(self.entries) - keep_last and gone <= target:
            gone += self.entries[end].tokens
            end += 1
        while 0 < end < len(self.entries) and self.entries[end].kind is Kind.RESULT:
            end += 1
        pinned = [entry for entry in self.entries[:end] if entry.kind is Kind.QUESTION]
        evicted = [entry for entry in self.entries[:end] if entry.kind is not Kind.QUESTION]
        self.entries = pinned + self.entries[end:]
        return evicted

    def split_at_question(self) -> tuple[list[Entry], str, list[Entry]]:
        """What came before the question that is being worked on, its text (or ""), and what followed."""
        for place, entry in enumerate(self.entries):
            if entry.kind is Kind.QUESTION:
                return self.entries[:place], entry.text, self.entries[place + 1 :]
        return self.entries, "", []

    def copy(self) -> MessageQueue:
        return MessageQueue(self.entries, self.summary)

    def to_json(self) -> dict[str, Any]:
        return {"entries": [entry.id for entry in self.entries], "summary": self.summary.to_json()}
