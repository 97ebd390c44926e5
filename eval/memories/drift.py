"""How far evolution has carried the notes of a memory away from what they were, and how well they hang together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from amem.network import NoteNetwork
from eval.memories.stored import StoredMemory


@dataclass(frozen=True, slots=True)
class NoteDrift:
    """One note at the end of its conversation."""

    changes: int
    """Evolutions that later notes brought."""
    cosine: float
    """Between its vector as it was taken in and its vector as it is searched by now."""
    links: int
    dead_links: int
    """Links to positions that lead nowhere (released variant)."""


@dataclass(frozen=True, slots=True)
class Drift:
    """Means over notes; NaN where there is nothing to take a mean of."""

    notes: int
    evolved_share: float
    changes_a_note: float
    most_changes: int
    cosine: float
    cosine_of_evolved: float
    """Over the notes that evolved."""
    links_a_note: float
    dead_links: int
    orphan_share: float
    """Notes that no link joins to another."""
    boxes: int
    """Groups of linked notes, orphans left out."""
    largest_box: int


def drift(memories: Iterable[StoredMemory]) -> Drift:
    """Over all notes of A-Mem memories taken together."""
    notes: list[NoteDrift] = []
    boxes: list[int] = []
    for memory in memories:
        network = memory.network()
        notes += note_drifts(network, *memory.first_and_last_vectors())
        boxes += map(len, network.boxes())
    evolved = [note for note in notes if note.changes]
    return Drift(
        notes=len(notes),
        evolved_share=_mean([note.changes > 0 for note in notes]),
        changes_a_note=_mean([note.changes for note in notes]),
        most_changes=max((note.changes for note in notes), default=0),
        cosine=_mean([note.cosine for note in notes]),
        cosine_of_evolved=_mean([note.cosine for note in evolved]),
        links_a_note=_mean([note.links for note in notes]),
        dead_links=sum(note.dead_links for note in notes),
        orphan_share=boxes.count(1) / len(notes) if notes else float("nan"),
        boxes=sum(size > 1 for size in boxes),
        largest_box=max(boxes, default=0),
    )


def note_drifts(network: NoteNetwork, first: np.ndarray, last: np.ndarray) -> list[NoteDrift]:
    """In order of construction; the arrays are of shape (notes, dimension), rows of length 1."""
    cosines = (first * last).sum(axis=1)
    changes = Counter(c.note_id for c in network.history if c.kind == "evolve" and c.cause_id != c.note_id)
    return [
        NoteDrift(
            changes=changes[note.id],
            cosine=float(cosine),
            links=len(note.links),
            dead_links=sum(network.resolve(link) is None for link in note.links),
        )
        for note, cosine in zip(network, cosines, strict=True)
    ]


def _mean(values: list[float] | list[int] | list[bool]) -> float:
    return float(np.mean(values)) if values else float("nan")
