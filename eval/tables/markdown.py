"""Markdown with pipes. A dagger (†) or bold stands beside the figure that it marks."""

from __future__ import annotations

from eval.tables.table import Cell, Mark, Row, Table


def to_markdown(table: Table) -> str:
    headings = [table.label, *(f"{column.group} {column.name}".strip() for column in table.columns)]
    lines = [f"## {_escaped(table.title)}", ""]
    if table.caption:
        lines += [_escaped(table.caption), ""]
    lines += [_line(map(_escaped, headings)), _line(["---", *["---:"] * len(table.columns)])]
    for section in table.sections:
        if section.heading:
            lines.append(_line([f"**{_escaped(section.heading)}**", *[""] * len(table.columns)]))
        lines += [_row(row) for row in section.rows]
    if table.notes:
        lines += ["", *(f"- {_escaped(note)}" for note in table.notes)]
    return "\n".join(lines) + "\n"


def _row(row: Row) -> str:
    label = _escaped(row.label)
    return _line([f"*{label}*" if row.minor else label, *map(_cell, row.cells)])


def _cell(cell: Cell) -> str:
    text = _escaped(cell.text)
    return f"**{text}**" if cell.mark is Mark.BEST else f"{text}†" if cell.mark is Mark.LEADING else text


def _line(cells) -> str:  # type: ignore[no-untyped-def]
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("*", "\\*").replace("_", "\\_").replace("<", "&lt;")
