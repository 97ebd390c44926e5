"""What MemoryBank retrieves: exchanges of dialogue, and summaries of sessions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any, NamedTuple

from amem.contract import Session, Turn


class Place(NamedTuple):
    """Where a piece stands in the conversation; sorts in its order."""

    session: int
    """The session's number."""
    exchange: int
    """0-based in the session; -1 is the session's summary."""

    @property
    def id(self) -> str:
        """The piece's id in the index."""
        return f"{self.session}/summary" if self.is_summary else f"{self.session}/{self.exchange}"

    @classmethod
    def of(cls, id: str) -> Place:
        """The place with that id."""
        session, _, exchange = id.partition("/")
        return cls(int(session), -1 if exchange == "summary" else int(exchange))

    @property
    def is_summary(self) -> bool:
        return self.exchange < 0


@dataclass(frozen=True)
class Exchange:
    """Two turns that follow each other (the repository's query and response); the last of an odd number is alone."""

    place: Place
    turns: tuple[Turn, ...]
    strength: int
    """S of the forgetting curve: 1, and one more for each recall."""
    recalled_on: date
    """The day of the last recall, or else the session's."""

    def recalled(self, day: date) -> Exchange:
        return replace(self, strength=self.strength + 1, recalled_on=day)

    def to_json(self) -> dict[str, Any]:
        return {
            "place": list(self.place),
            "turns": [asdict(turn) for turn in self.turns],
            "strength": self.strength,
            "recalled_on": self.recalled_on.isoformat(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Exchange:
        turns = tuple(Turn(**turn) for turn in data["turns"])
        return cls(Place(*data["place"]), turns, data["strength"], date.fromisoformat(data["recalled_on"]))


def exchanges_of(session: Session) -> list[Exchange]:
    """The session's turns two by two, none of them recalled yet."""
    starts = range(0, len(session.turns), 2)
    return [
        Exchange(Place(session.number, n), session.turns[start : start + 2], 1, session.when.date())
        for n, start in enumerate(starts)
    ]


def around(hit: int, lengths: Sequence[int], allowed: Sequence[bool], limit: int) -> list[int]:
    """Positions beside `hit` whose texts, with the hit's, stay within `limit` characters (released code: 200).

    Looks outward step by step, later neighbour before earlier one, and passes over what is not allowed or too long.
    """
    total, taken = lengths[hit], []
    for distance in range(1, len(lengths)):
        for position in (hit + distance, hit - distance):
            if 0 <= position < len(lengths) and allowed[position] and total + lengths[position] <= limit:
                total += lengths[position]
                taken.append(position)
    return taken
