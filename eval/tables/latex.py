"""LaTeX with booktabs: a `table*` that is scaled down where it is wider than the page (graphicx)."""

from __future__ import annotations

import re

from eval.tables.headings import spans
from eval.tables.table import Cell, Mark, Row, Section, Table

_NUMBER = re.compile(r"^Table \d+: ")
"""LaTeX numbers its tables itself."""

_SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
        "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
        "–": "--", "—": "---", "−": "$-$", "±": r"$\pm$", "×": r"$\times$", "†": r"$\dagger$", "≥": r"$\geq$",
        "µ": r"$\mu$", "·": r"$\cdot$", "≈": r"$\approx$", "…": r"\ldots{}", "→": r"$\rightarrow$", "°": r"$^\circ$",
    }
)  # fmt: skip


def to_latex(table: Table) -> str:
    """For \\input; needs the packages booktabs and graphicx."""
    lines = [
        "% needs \\usepackage{booktabs,graphicx}",
        "\\begin{table*}[t]",
        "\\centering",
        f"\\caption{{\\textbf{{{_escaped(_NUMBER.sub('', table.title))}.}} {_escaped(table.caption)}}}",
        f"\\label{{tab:{table.key}}}",
        "\\resizebox{\\ifdim\\width>\\textwidth\\textwidth\\else\\width\\fi}{!}{%",
        f"\\begin{{tabular}}{{l{'r' * len(table.columns)}}}",
        "\\toprule",
        *_headings(table),
    ]
    for section in table.sections:
        lines += ["\\midrule", *_section(section, len(table.columns))]
    lines += ["\\bottomrule", "\\end{tabular}}"]
    if table.notes:
        notes = [f"{_escaped(note)}\\par" for note in table.notes]
        lines += ["\\par\\smallskip\\begin{minipage}{\\textwidth}\\footnotesize", *notes, "\\end{minipage}"]
    return "\n".join([*lines, "\\end{table*}"]) + "\n"


def _headings(table: Table) -> list[str]:
    names = _line([_escaped(table.label), *(_escaped(column.name) for column in table.columns)])
    if not any(column.group for column in table.columns):
        return [names]
    groups, rules, place = [""], [], 2
    for group, width in spans(table.columns):
        groups.append(f"\\multicolumn{{{width}}}{{c}}{{{_escaped(group)}}}" if group else "")
        if group:
            rules.append(f"\\cmidrule(lr){{{place}-{place + width - 1}}}")
        place += width
    return [_line(groups), "".join(rules), names]


def _section(section: Section, width: int) -> list[str]:
    heading = [f"\\multicolumn{{{width + 1}}}{{l}}{{\\textbf{{{_escaped(section.heading)}}}}} \\\\"]
    return (heading if section.heading else []) + [_row(row) for row in section.rows]


def _row(row: Row) -> str:
    if row.minor:
        return _line(f"{{\\scriptsize {_escaped(text)}}}" if text else "" for text in _texts(row))
    return _line([_escaped(row.label), *map(_cell, row.cells)])


def _texts(row: Row) -> list[str]:
    return [f"\u2003{row.label}", *(cell.text for cell in row.cells)]


def _cell(cell: Cell) -> str:
    text = _escaped(cell.text)
    if cell.mark is Mark.BEST:
        return f"\\textbf{{{text}}}"
    return f"{text}$^\\dagger$" if cell.mark is Mark.LEADING else text


def _line(cells) -> str:  # type: ignore[no-untyped-def]
    return " & ".join(cells) + " \\\\"


def _escaped(text: str) -> str:
    return text.translate(_SPECIAL).replace("\u2003", "\\quad ")
