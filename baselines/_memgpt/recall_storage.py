"""Recall storage: everything that ever stood in the queue, searchable by text and by date."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from baselines._memgpt.entries import Entry, Kind


class RecallStorage:
    """Append-only. Searches see the conversation's turns alone, oldest first: the agent's own calls and the question
    that it is working on would otherwise be found by their own words."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._entries = list(entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, id: int) -> Entry:
        return self._entries[id]

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(self._entries)

    def add(self, entry: Entry) -> None:
        if entry.id != len(self._entries):
            raise ValueError(f"entry {entry.id} does not follow the {len(self._entries)} stored ones")
        self._entries.append(entry)

    def search_text(self, query: str) -> list[Entry]:
        """Turns that contain `query`, whatever the case."""
        wanted = query.casefold()
        return [entry for entry in self._turns() if wanted in entry.text.casefold()]

    def search_dates(self, start: date, end: date) -> list[Entry]:
        """Turns of the days from `start` to `end`, both included."""
        return [entry for entry in self._turns() if entry.when and start <= entry.when <= end]

    def copy(self) -> RecallStorage:
        return RecallStorage(self._entries)

    def _turns(self) -> Iterable[Entry]:
        return (entry for entry in self._entries if entry.kind is Kind.TURN)
