"""Drift of A-Mem's notes, a row a backbone and method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from eval.memories.drift import Drift
from eval.tables import numbers
from eval.tables.meta import RunMeta
from eval.tables.table import Cell, Column, Row, Section, Table

_COLUMNS = (
    Column("", "Notes"),
    Column("Evolution", "Evolved %"),
    Column("Evolution", "a note"),
    Column("Evolution", "most"),
    Column("Cosine first–last", "all"),
    Column("Cosine first–last", "evolved"),
    Column("Links", "a note"),
    Column("Links", "dead"),
    Column("Boxes", "orphans %"),
    Column("Boxes", "number"),
    Column("Boxes", "largest"),
)


def drift_table(drifts: Mapping[tuple[str, str], Drift], meta: RunMeta) -> Table:
    """`drifts` by (backbone, method)."""
    backbones = dict.fromkeys(backbone for backbone, _ in drifts)
    return Table(
        key="drift",
        title="What evolution did to the notes",
        label="Method",
        columns=_COLUMNS,
        sections=tuple(
            Section(
                meta.backbone(backbone).label,
                tuple(_row(meta.method(m).label, found) for (b, m), found in drifts.items() if b == backbone),
            )
            for backbone in backbones
        ),
        caption=f"Notes at the end of their conversations. Data: {meta.data}; {meta.settings}; run {meta.run}.",
        notes=(
            "Evolved: share of notes that a later note rewrote; a note, most: rewritings of one note, mean and most.",
            "Cosine: between the vector that a note was taken in with and the one that it is searched by at the end.",
            "Links are counted where they start; dead ones are positions that lead to no note. A box is a group of "
            "linked notes, an orphan a note that is linked with none.",
        ),
        records=tuple({"backbone": b, "method": m, **asdict(found)} for (b, m), found in drifts.items()),
    )


def _row(label: str, found: Drift) -> Row:
    texts = (
        numbers.whole(found.notes),
        numbers.share(100 * found.evolved_share),
        numbers.points(found.changes_a_note),
        numbers.whole(found.most_changes),
        numbers.points(found.cosine),
        numbers.points(found.cosine_of_evolved),
        numbers.points(found.links_a_note),
        numbers.whole(found.dead_links),
        numbers.share(100 * found.orphan_share),
        numbers.whole(found.boxes),
        numbers.whole(found.largest_box),
    )
    return Row(label, tuple(map(Cell, texts)))
