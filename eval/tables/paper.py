"""The published tables, as CSV files under results/paper."""

from __future__ import annotations

import csv
from functools import lru_cache
from pathlib import Path

from amem.errors import DataError

FOLDER = Path(__file__).resolve().parents[2] / "results" / "paper"

TABLE3_BACKBONE = "gpt-4o-mini"

PaperRow = dict[str, str | float]
"""Numbers as floats, names as strings, by column."""


@lru_cache(maxsize=16)
def paper_table(name: str, folder: Path = FOLDER) -> tuple[PaperRow, ...]:
    """Rows of `<name>.csv`; raises `DataError` where the file can't be read or a row has an empty cell."""
    path = folder / f"{name}.csv"
    try:
        rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    except OSError as error:
        raise DataError(
            f"{path}: can't be read ({error.strerror}); results/paper/{name}.csv is the shipped one"
        ) from error
    for number, row in enumerate(rows, start=2):
        for column, value in row.items():
            if column is None or not value:
                raise DataError(f"{path}:{number}: {column or 'a column without heading'} has no single value")
    return tuple({column: _value(text) for column, text in row.items()} for row in rows)


def table1_row(backbone: str | None, method: str | None) -> PaperRow | None:
    """The row of Table 1 of a backbone and method as the paper names them; None where it has no such row."""
    for row in paper_table("table1_locomo"):
        if row["backbone"] == backbone and row["method"] == method:
            return row
    return None


def table3_row(backbone: str | None, method: str | None) -> PaperRow | None:
    """The row of Table 3, which is of one backbone alone (section 4.5)."""
    if backbone != TABLE3_BACKBONE:
        return None
    return next((row for row in paper_table("table3_ablation") if row["method"] == method), None)


def _value(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return text
