"""The figures that stand beside figure 4."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from eval.figures.structure import MEMORIES, NEIGHBOURS, Pictured, Structure, spread
from eval.tables import numbers
from eval.tables.layout import minor
from eval.tables.table import Cell, Column, Row, Section, Table

_OF_VECTORS = ("silhouette", "purity")
_OF_PICTURES = ("silhouette", "purity", "trustworthiness")
_NOTES = (
    "95%: Student's t over the pictures' seeds. What is of the vectors themselves depends on no seed.",
    "silhouette: of the sessions as clusters, −1 to 1. purity: share of a note's "
    f"{NEIGHBOURS} nearest notes that are of its session. trustworthiness: how far neighbours in the picture are "
    "neighbours in truth, 0 to 1.",
    "base: the same notes as they were taken in, before any later note changed them. Both memories are drawn in one "
    "plane, so the difference is taken seed by seed; a note that nothing changed has both points in one place.",
)


def structure_table(pictured: Sequence[Pictured]) -> Table:
    """A section a dialogue; draws every seed where that is not done yet."""
    seeds = len(pictured[0].seeds)
    columns = [Column("Of the vectors", name) for name in _OF_VECTORS]
    columns += [Column(f"Of the picture, {seeds} seeds", name) for name in _OF_PICTURES]
    return Table(
        key="structure",
        title="Beside figure 4: how the notes of sessions lie apart",
        label="Memory",
        columns=tuple(columns),
        sections=tuple(
            Section(f"{one.dialogue.name}, {len(one.dialogue.amem)} notes", tuple(_rows(one.structures)))
            for one in pictured
        ),
        notes=_NOTES,
        records=tuple(_record(one.dialogue.name, name, one.structures[name]) for one in pictured for name in MEMORIES),
    )


def _rows(structures: dict[str, Structure]) -> Iterator[Row]:
    for name in MEMORIES:
        found = structures[name]
        yield from _pair(name, [getattr(found, key) for key in _OF_VECTORS], found.in_picture)
    amem, base = (structures[name] for name in MEMORIES)
    vectors = [getattr(amem, key) - getattr(base, key) for key in _OF_VECTORS]
    pictures = {
        key: tuple(a - b for a, b in zip(amem.in_picture[key], base.in_picture[key], strict=True))
        for key in _OF_PICTURES
    }
    yield from _pair("A-Mem − base", vectors, pictures)


def _pair(label: str, vectors: Sequence[float], pictures: dict[str, tuple[float, ...]]) -> Iterator[Row]:
    found = [spread(pictures[key]) for key in _OF_PICTURES]
    yield Row(label, tuple(Cell(_number(value)) for value in [*vectors, *(mean for mean, _, _ in found)]))
    spans = [f"{_number(low)} to {_number(high)}" for _, low, high in found]
    yield minor("95%", [*[""] * len(_OF_VECTORS), *spans], len(_OF_VECTORS) + len(_OF_PICTURES))


def _number(value: float) -> str:
    return numbers.UNKNOWN if math.isnan(value) else f"{value + 0.0:.3f}".replace("-", "−")


def _record(dialogue: str, memory: str, found: Structure) -> dict[str, Any]:
    record: dict[str, Any] = {"dialogue": dialogue, "memory": memory}
    record |= {key: getattr(found, key) for key in _OF_VECTORS}
    for key in _OF_PICTURES:
        ends = zip(("", "_low", "_high"), spread(found.in_picture[key]), strict=True)
        record |= {f"picture_{key}{end}": value for end, value in ends}
    return record
