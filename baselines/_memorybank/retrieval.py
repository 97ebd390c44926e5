"""What of MemoryBank's store is shown for a question, from the hits of the search."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, takewhile

from baselines._memorybank.pieces import Exchange, Place, around


@dataclass(frozen=True)
class Selection:
    """Hits, best first, each with the exchanges that were glued to it; no place twice."""

    glued: Mapping[Place, tuple[Place, ...]]

    @property
    def places(self) -> list[Place]:
        """Hits, best first, then what was glued to them."""
        return [*self.glued, *(place for places in self.glued.values() for place in places)]

    def blocks(self, *, merge: bool) -> list[list[Place]]:
        """What is shown together under one date; inside a block in the order of the conversation.

        With `merge` all of a session stands together, and sessions follow each other in time, as the released code
        sorts what it found; without, each hit stands alone with what was glued to it, best first.
        """
        if not merge:
            return [sorted([hit, *beside]) for hit, beside in self.glued.items()]
        sessions = sorted({place.session for place in self.places})
        return [sorted(place for place in self.places if place.session == number) for number in sessions]


def select(
    hits: Sequence[Place],
    exchanges: Mapping[Place, Exchange],
    forgotten: Collection[Place],
    length: Callable[[Exchange], int],
    limit: int,
) -> Selection:
    """Glue to each exchange among `hits` its neighbours of the session, up to `limit` characters together."""
    taken = set(hits)
    glued: dict[Place, tuple[Place, ...]] = {}
    for hit in hits:
        beside = [] if hit.is_summary or not limit else _beside(hit, exchanges, forgotten, length, limit)
        glued[hit] = tuple(place for place in beside if place not in taken)
        taken |= set(glued[hit])
    return Selection(glued)


def _beside(
    hit: Place,
    exchanges: Mapping[Place, Exchange],
    forgotten: Collection[Place],
    length: Callable[[Exchange], int],
    limit: int,
) -> list[Place]:
    session = list(takewhile(exchanges.__contains__, (Place(hit.session, n) for n in count())))
    lengths = [length(exchanges[place]) for place in session]
    allowed = [place not in forgotten for place in session]
    return [session[position] for position in around(hit.exchange, lengths, allowed, limit)]
