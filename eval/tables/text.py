"""Plain text for a terminal, in columns; * marks what is bold elsewhere, † what leads without being significant."""

from __future__ import annotations

import textwrap

from eval.tables.headings import spans
from eval.tables.table import Cell, Mark, Row, Table

_GAP = "  "
_MARKS = {None: "", Mark.BEST: "*", Mark.LEADING: "†"}


def to_text(table: Table) -> str:
    rows = [row for section in table.sections for row in section.rows]
    widths = [
        max(len(column.name), *(len(_cell(row.cells[place])) for row in rows), 0) if rows else len(column.name)
        for place, column in enumerate(table.columns)
    ]
    _widen(widths, table)
    headings = [section.heading for section in table.sections]
    first = max(len(text) for text in [table.label, *headings, *map(_label, rows)])
    total = first + sum(len(_GAP) + width for width in widths)
    lines = [table.title, *textwrap.wrap(table.caption, max(total, 80)), ""]
    lines += [line.rstrip() for line in _body(table, first, widths)]
    notes = [line for note in table.notes for line in textwrap.wrap(note, max(total, 80), subsequent_indent="  ")]
    return "\n".join([*lines, *(["", *notes] if notes else [])]) + "\n"


def _body(table: Table, first: int, widths: list[int]) -> list[str]:
    rule = "─" * (first + sum(len(_GAP) + width for width in widths))
    lines = [rule]
    if any(column.group for column in table.columns):
        lines.append(_groups(table, first, widths))
    lines.append(_line(table.label, [column.name for column in table.columns], first, widths))
    for section in table.sections:
        lines.append(rule)
        if section.heading:
            lines.append(section.heading)
        lines += [_line(_label(row), [_cell(cell) for cell in row.cells], first, widths) for row in section.rows]
    return [*lines, rule]


def _widen(widths: list[int], table: Table) -> None:
    """Give the last column of a group what its heading needs beyond the group's columns."""
    place = 0
    for group, width in spans(table.columns):
        inside = sum(widths[place : place + width]) + len(_GAP) * (width - 1)
        widths[place + width - 1] += max(0, len(group) - inside)
        place += width


def _groups(table: Table, first: int, widths: list[int]) -> str:
    line, place = " " * first, 0
    for group, width in spans(table.columns):
        inside = sum(widths[place : place + width]) + len(_GAP) * (width - 1)
        line += _GAP + group.center(inside)
        place += width
    return line


def _line(label: str, cells: list[str], first: int, widths: list[int]) -> str:
    return label.ljust(first) + "".join(_GAP + cell.rjust(width) for cell, width in zip(cells, widths, strict=True))


def _label(row: Row) -> str:
    return f"  {row.label}" if row.minor else row.label


def _cell(cell: Cell) -> str:
    return cell.text + _MARKS[cell.mark]
