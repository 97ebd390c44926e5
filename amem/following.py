"""From the notes that a search found to the notes linked with them (section 3.4), and how many of those are shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from amem.network import NoteNetwork
from amem.settings import LinkCap, LinkDirection

TESTED_AFTER_SHOWING: frozenset[LinkCap] = frozenset({"shared_released", "per_hit"})


@dataclass(frozen=True, slots=True)
class Shown:
    note_id: str
    via: str | None
    """The hit that led to it; None for a hit."""


@dataclass(frozen=True, slots=True)
class LinkFollower:
    """Parameters as in `AMemSettings`; `limit` is its `linked_notes`, or the question's k in its place."""

    direction: LinkDirection
    cap: LinkCap
    limit: int
    once: bool

    def follow(self, hits: Sequence[str], network: NoteNetwork) -> list[Shown]:
        """Each hit, and after it the notes linked with it, one step away."""
        seen = set(hits)
        shown: list[Shown] = []
        count = 0
        for hit in hits:
            shown.append(Shown(hit, None))
            count = 0 if self.cap == "per_hit" else count
            for note_id in self._linked(hit, network):
                if self.cap == "shared" and count >= self.limit:
                    break
                if self.once and note_id in seen:
                    continue
                seen.add(note_id)
                shown.append(Shown(note_id, hit))
                if self.cap in TESTED_AFTER_SHOWING and count >= self.limit:
                    break
                count += 1
        return shown

    def _linked(self, hit: str, network: NoteNetwork) -> Iterator[str]:
        if self.cap == "off":
            return
        for link in network[hit].links:
            # The released code stops with an IndexError where a link leads nowhere; here it is passed over.
            if (target := network.resolve(link)) is not None:
                yield target
        if self.direction == "both":
            yield from network.linked_from(hit)
