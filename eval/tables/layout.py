"""Rows that most tables share: a figure, its interval and its denominator below it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from eval.scoring.figures import Figure, cells
from eval.scoring.scores import Scores
from eval.tables import captions, numbers
from eval.tables.meta import RunMeta
from eval.tables.table import Cell, Column, Mark, Row, Section, Table


@dataclass(frozen=True, slots=True)
class FigureColumn:
    """A column of figures: its headings, its name in the CSV, and its figures by (backbone, method)."""

    column: Column
    name: str
    figures: Mapping[tuple[str, str], Figure]
    marks: Mapping[tuple[str, str], Mark]


def figure_column(
    group: str,
    heading: str,
    name: str,
    figures: Sequence[Figure],
    marks: Mapping[tuple[str, str, str], Mark] | None = None,
) -> FigureColumn:
    """A column of `figures`, all of one group."""
    placed = {(figure.backbone, figure.method): figure for figure in figures}
    marked = {
        place: mark
        for place, figure in placed.items()
        if (mark := (marks or {}).get((*place, figure.group))) is not None
    }
    return FigureColumn(Column(group, heading), name, placed, marked)


def figure_table(
    key: str,
    title: str,
    subject: str,
    columns: Sequence[FigureColumn],
    scores: Scores,
    meta: RunMeta,
    *,
    notes: Sequence[str] = (),
    extra: Sequence[Section] = (),
    extra_records: Sequence[Mapping[str, object]] = (),
    show: Callable[[float], str] = numbers.points,
) -> Table:
    """A table with a section a backbone; `extra` sections come last."""
    places = [place for place, _ in cells(scores)]
    sections = [
        Section(
            meta.backbone(backbone).label,
            tuple(row for place in places if place[0] == backbone for row in _rows(place, columns, meta, show)),
        )
        for backbone in dict.fromkeys(backbone for backbone, _ in places)
    ]
    return Table(
        key=key,
        title=title,
        label="Method",
        columns=tuple(each.column for each in columns),
        sections=(*sections, *extra),
        caption=captions.of_run(subject, scores, meta),
        notes=(captions.intervals(scores), *captions.without_width(_figures(columns)), *notes),
        records=(*(_record(place, columns) for place in places), *extra_records),
    )


def _figures(columns: Sequence[FigureColumn]) -> Iterator[Figure]:
    for column in columns:
        yield from column.figures.values()


def _rows(
    place: tuple[str, str], columns: Sequence[FigureColumn], meta: RunMeta, show: Callable[[float], str]
) -> list[Row]:
    figures = [column.figures.get(place) for column in columns]
    means = [Cell(show(f.mean), c.marks.get(place)) if f else Cell() for f, c in zip(figures, columns, strict=True)]
    return [Row(meta.method(place[1]).label, tuple(means)), *below(figures)]


def below(figures: Sequence[Figure | None], width: int | None = None) -> list[Row]:
    """Interval and denominator of each figure; failures and the spread of seeds where there are any."""
    rows = {
        "95%": [numbers.span(f.interval) if f else "" for f in figures],
        "n": [f"{f.n:,}" if f else "" for f in figures],
    }
    if any(f and f.failed for f in figures):
        rows["failed"] = [f"{f.failed:,}" if f else "" for f in figures]
    if any(f and f.repeat_sd is not None for f in figures):
        rows["sd of seeds"] = [numbers.points(f.repeat_sd) if f else "" for f in figures]
    return [minor(label, texts, width or len(figures)) for label, texts in rows.items()]


def minor(label: str, texts: Sequence[str], width: int) -> Row:
    """A row that belongs to the one above, filled up to `width` cells."""
    return Row(label, tuple(map(Cell, [*texts, *[""] * (width - len(texts))])), minor=True)


def _record(place: tuple[str, str], columns: Sequence[FigureColumn]) -> dict[str, object]:
    record: dict[str, object] = {"backbone": place[0], "method": place[1]}
    for column in columns:
        if place in column.figures:
            record |= captions.record(column.name, column.figures[place])
    return record
