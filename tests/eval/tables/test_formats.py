"""The formats: what is marked, what is escaped, what compiles."""

from __future__ import annotations

import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from eval.tables.csv_text import to_csv
from eval.tables.html import page
from eval.tables.latex import to_latex
from eval.tables.markdown import to_markdown
from eval.tables.table import Cell, Column, Mark, Row, Section, Table
from eval.tables.text import to_text

NASTY = r"a_b & 50% {x} #1 ~^ \ $ <b>|*"
TABLE = Table(
    key="made-up",
    title=f"Title {NASTY}",
    label="Method",
    columns=(Column("Pair", "F1"), Column("Pair", "BLEU"), Column("", "Tokens")),
    sections=(
        Section(
            f"Backbone {NASTY}",
            (
                Row(f"Method {NASTY}", (Cell("1.00", Mark.BEST), Cell("2.00", Mark.LEADING), Cell("3"))),
                Row("95%", (Cell("0–2"), Cell("−1 to +3"), Cell()), minor=True),
            ),
        ),
    ),
    caption=f"Caption × {NASTY}",
    notes=(f"Note † ± {NASTY}",),
)


def test_markdown_marks_and_escapes() -> None:
    lines = to_markdown(TABLE).splitlines()
    row = next(line for line in lines if line.startswith("| Method a"))
    assert "**1.00**" in row
    assert "2.00†" in row
    assert "&lt;b>" in row
    rows = [line.replace("\\|", "") for line in lines if line.startswith("|")]
    assert {line.count("|") for line in rows} == {5}


def test_text_lines_up_and_marks() -> None:
    lines = to_text(TABLE).splitlines()
    row = next(line for line in lines if line.startswith("Method a"))
    heading = next(line for line in lines if line.startswith("Method  "))
    assert len(row) == len(heading)
    assert "1.00*" in row
    assert "2.00†" in row


def test_html_escapes_and_is_well_formed() -> None:
    html = page("Page <script>", [TABLE])
    assert "<script>" not in html
    assert "<b>" not in html
    assert "<strong>1.00</strong>" in html
    checker = _Balance()
    checker.feed(html)
    assert checker.open == []


def test_csv_of_a_table_without_records_holds_its_cells() -> None:
    assert to_csv(TABLE).splitlines()[0] == "section,Method,Pair F1,Pair BLEU,Tokens"


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_latex_compiles(tmp_path: Path) -> None:
    source = "\\documentclass{article}\n\\usepackage{booktabs,graphicx}\n\\begin{document}\n%s\\end{document}\n"
    (tmp_path / "table.tex").write_text(source % to_latex(TABLE), "utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "table.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout[-1500:]


def test_latex_has_balanced_groups_and_the_right_number_of_cells() -> None:
    lines = to_latex(TABLE).splitlines()
    assert sum(line.count("{") - line.count("\\{") for line in lines) == sum(
        line.count("}") - line.count("\\}") for line in lines
    )
    row = next(line for line in lines if line.startswith("Method a"))
    assert row.replace("\\&", "").count("&") == len(TABLE.columns)


class _Balance(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
