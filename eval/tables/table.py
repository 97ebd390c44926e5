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
    """Rendered by its methods; the same table gives the same bytes."""

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
    """The same figures as plain values, a record a row: what `csv` writes. Empty: `csv` writes the cells."""

    def markdown(self) -> str:
        from eval.tables.markdown import render

        return render(self)

    def csv(self) -> str:
        from eval.tables.csv_text import render

        return render(self)

    def latex(self) -> str:
        """A `table*` for \\input; needs the packages booktabs and graphicx."""
        from eval.tables.latex import render

        return render(self)

    def html(self) -> str:
        """A `<figure>`; `eval.tables.html.page` makes a page of several."""
        from eval.tables.html import render

        return render(self)

    def text(self) -> str:
        from eval.tables.text import render

        return render(self)
