"""Figures are written as PDF and PNG, the same bytes each time."""

from __future__ import annotations

from pathlib import Path

from eval.figures.style import figure, save


def _drawn(folder: Path) -> list[bytes]:
    with figure() as (made, axes):
        axes.plot([1, 2], [3, 4], label="a line")
        axes.legend()
        return [path.read_bytes() for path in save(made, folder / "line")]


def test_the_same_figure_gives_the_same_pdf_and_png(tmp_path: Path) -> None:
    pdf, png = _drawn(tmp_path)
    assert pdf.startswith(b"%PDF") and png.startswith(b"\x89PNG")
    assert _drawn(tmp_path) == [pdf, png]
