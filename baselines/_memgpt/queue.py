"""The FIFO queue of main context: a recursive summary of what was evicted, then the latest entries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
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
        target, gone, position = fraction * self.tokens, 0, 0
        evicted: list[Entry] = []
        pinned: list[Entry] = []
        last = max(0, len(self.entries) - keep_last)
        while position < len(self.entries):
            entry = self.entries[position]
            orphan = entry.kind is Kind.RESULT and bool(evicted) and not pinned
            if not orphan and (position >= last or gone > target):
                break
            (pinned if entry.kind is Kind.QUESTION else evicted).append(entry)
            gone += 0 if entry.kind is Kind.QUESTION else entry.tokens
            position += 1
        self.entries = pinned + self.entries[position:]
        return evicted

    def copy(self) -> MessageQueue:
        return MessageQueue(self.entries, self.summary)

    def to_json(self) -> dict[str, Any]:
        return {"entries": [entry.id for entry in self.entries], "summary": asdict(self.summary)}
