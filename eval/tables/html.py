"""HTML: a figure a table, and a page that needs nothing from the network. All text is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from eval.tables.headings import spans
from eval.tables.table import Cell, Mark, Row, Section, Table

STYLE = """\
:root { color-scheme: light dark; --line: #8886; --soft: #666; --shade: #8881; }
@media (prefers-color-scheme: dark) { :root { --soft: #aaa; } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 78rem; padding: 0 1rem; }
figure { margin: 2rem 0; overflow-x: auto; }
figcaption { text-align: left; max-width: 52rem; margin-bottom: .6rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .2rem .6rem; text-align: right; white-space: nowrap; }
th:first-child { text-align: left; }
thead th { border-bottom: 1px solid var(--line); }
thead th[scope="colgroup"] { text-align: center; }
tbody tr:first-child th, tbody tr:first-child td { border-top: 1px solid var(--line); }
tbody th { font-weight: normal; }
tbody th[colspan] { font-weight: bold; background: var(--shade); text-align: left; }
tr.minor th, tr.minor td { color: var(--soft); font-size: .8rem; padding-top: 0; padding-bottom: 0; }
tr.minor th { padding-left: 1.6rem; }
.notes { color: var(--soft); font-size: .85rem; max-width: 60rem; }
"""


def to_html(table: Table) -> str:
    """A `<figure>`; `page` makes a document of several."""
    parts = [
        f'<figure id="{escape(table.key)}">',
        f"<figcaption><strong>{escape(table.title)}.</strong> {escape(table.caption)}</figcaption>",
        "<table>",
        "<thead>",
        *_headings(table),
        "</thead>",
        *(line for section in table.sections for line in _section(section, len(table.columns))),
        "</table>",
    ]
    if table.notes:
        parts += ['<ul class="notes">', *(f"<li>{escape(note)}</li>" for note in table.notes), "</ul>"]
    return "\n".join([*parts, "</figure>"]) + "\n"


def page(title: str, tables: Iterable[Table]) -> str:
    """A whole document with every table."""
    return document(title, f"<h1>{escape(title)}</h1>\n" + "".join(to_html(table) for table in tables))


def document(title: str, body: str) -> str:
    """A whole document around a body that is already HTML."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )


def _headings(table: Table) -> list[str]:
    names = "".join(f'<th scope="col">{escape(column.name)}</th>' for column in table.columns)
    label = f'<th scope="col">{escape(table.label)}</th>'
    if not any(column.group for column in table.columns):
        return [f"<tr>{label}{names}</tr>"]
    groups = "".join(
        f'<th scope="colgroup" colspan="{width}">{escape(group)}</th>' if group else "<td></td>"
        for group, width in spans(table.columns)
    )
    return [f"<tr><td></td>{groups}</tr>", f"<tr>{label}{names}</tr>"]


def _section(section: Section, width: int) -> list[str]:
    heading = f'<tr><th colspan="{width + 1}" scope="rowgroup">{escape(section.heading)}</th></tr>'
    return ["<tbody>", *([heading] if section.heading else []), *map(_row, section.rows), "</tbody>"]


def _row(row: Row) -> str:
    opening = '<tr class="minor">' if row.minor else "<tr>"
    return f'{opening}<th scope="row">{escape(row.label)}</th>{"".join(map(_cell, row.cells))}</tr>'


def _cell(cell: Cell) -> str:
    text = escape(cell.text)
    if cell.mark is Mark.BEST:
        return f"<td><strong>{text}</strong></td>"
    return f"<td>{text}{'†' if cell.mark is Mark.LEADING else ''}</td>"
