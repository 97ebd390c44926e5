"""A table before it has a format: headings, rows of text, what is marked, and what must be said with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Mark(StrEnum):
    BEST = "best"
    """The best of its column, significantly: bold."""
    LEADING = "leading"
    """The best of its column, but not significantly: a dagger."""


@dataclass(frozen=True, slots=True)
class Cell:
    text: str = ""
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class Row:
    label: str
    cells: tuple[Cell, ...]
    minor: bool = False
    """Belongs to the row above (its interval, its denominators, the paper's figures): printed lighter."""


@dataclass(frozen=True, slots=True)
class Section:
    """Rows under one heading, such as a backbone; an empty heading is not printed."""

    heading: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Column:
    group: str
    """Heading above neighbouring columns that share it; empty for none."""
    name: str


@dataclass(frozen=True, slots=True)
class Table:
    """Given a format by `to_text`, `to_markdown`, `to_csv`, `to_latex` or `to_html`: the same table, the same bytes."""

    key: str
    """Short name for anchors and labels: `table1`."""
    title: str
    label: str
    """Heading of the column of row labels."""
    columns: tuple[Column, ...]
    sections: tuple[Section, ...]
    caption: str = ""
    notes: tuple[str, ...] = ()
    records: Sequence[Mapping[str, Any]] = field(default=())
    """The same figures as plain values, a record a row: what `to_csv` writes. Empty: it writes the cells."""
