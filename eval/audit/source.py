"""The published tables as the checks read them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from amem.errors import DataError
from eval.datasets.categories import Category
from eval.tables.paper import FOLDER, PaperRow, paper_table

AMEM = "A-Mem"
SCORES = ("f1", "bleu1")
NAMES = {"f1": "F1", "bleu1": "BLEU-1"}


@dataclass(frozen=True, slots=True)
class Published:
    table1: tuple[PaperRow, ...]
    table2: tuple[PaperRow, ...]
    table3: tuple[PaperRow, ...]
    table4: tuple[PaperRow, ...]
    claims: Mapping[str, float]
    """Numbers of the text, by name."""
    sections: Mapping[str, str]
    """The section that states each of them."""
    release: Mapping[str, float]
    """Facts of the released LoCoMo data."""

    def by_backbone(self) -> Iterator[tuple[str, list[PaperRow]]]:
        """Rows of Table 1 of each backbone, in the paper's order."""
        for backbone in dict.fromkeys(str(row["backbone"]) for row in self.table1):
            yield backbone, [row for row in self.table1 if row["backbone"] == backbone]

    def questions(self, category: Category) -> float:
        return self.release[category]


def read_published(folder: Path = FOLDER) -> Published:
    """Raises `DataError` where a file or a column is missing."""
    claims = paper_table("claims", folder)
    published = Published(
        table1=paper_table("table1_locomo", folder),
        table2=paper_table("table2_dialsim", folder),
        table3=paper_table("table3_ablation", folder),
        table4=paper_table("table4_scaling", folder),
        claims={str(row["claim"]): float(row["value"]) for row in claims},
        sections={str(row["claim"]): f"Section {row['section']}" for row in claims},
        release={str(row["fact"]): float(row["value"]) for row in paper_table("locomo_release", folder)},
    )
    _require_columns(published, folder)
    return published


def columns(score: str) -> list[str]:
    """Columns of a score (`f1` or `bleu1`) in the order of the categories."""
    return [f"{category}_{score}" for category in Category]


def cell_names() -> list[str]:
    """The ten score columns from left to right, as the paper prints them."""
    return [f"{category}_{score}" for category in Category for score in SCORES]


def label(column: str) -> str:
    """`open_domain_f1` as "Open Domain F1"."""
    category, _, score = column.rpartition("_")
    return f"{Category(category).label} {NAMES[score]}"


def number(row: PaperRow, column: str) -> float:
    return float(row[column])


def name_of(row: PaperRow) -> str:
    """How a row of Table 1 is called."""
    return f"{row['backbone']} {row['method']}"


def _require_columns(published: Published, folder: Path) -> None:
    needed = [*cell_names(), "backbone", "method", "rank_f1", "rank_bleu1", "token_length"]
    for row in published.table1:
        missing = [column for column in needed if column not in row]
        if missing:
            raise DataError(f"{folder}/table1_locomo.csv: column {missing[0]} is missing")
