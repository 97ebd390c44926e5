"""Evidence recall and precision of a run, and where retrieval and answering part ways."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from eval.datasets.categories import Category
from eval.scoring.figures import Figure, cells, figure_of
from eval.scoring.scores import Protocol, Scores

if TYPE_CHECKING:
    import pandas as pd

WRONG_BELOW = 0.5
"""An answer whose score lies below this counts as wrong."""

OVERALL = "all"


def evidence_recall(scores: Scores, columns: Sequence[str]) -> list[Figure]:
    """Figures named in `eval.scoring.evidence.columns`, per category and over all questions that have evidence."""
    return [
        figure_of(scores, rows, rows[column], group=group, metric=column)
        for _, cell in cells(scores)
        for group, rows in _groups(cell)
        for column in columns
    ]


def retrieved_against_answered(
    scores: Scores, metric: str = "f1_amem_set", wrong_below: float = WRONG_BELOW
) -> list[Figure]:
    """Of the answerable questions with evidence: shares of `retrieved_but_wrong` and `right_without_evidence`.

    Retrieved means every evidence turn, verbatim or derived; wrong means a score of `metric` below `wrong_below`.
    """
    found = []
    for _, cell in cells(scores):
        rows = cell[(cell["category"] != Category.ADVERSARIAL) & (cell["evidence_turns"] > 0)]
        if not len(rows):
            continue
        recall = rows["evidence_any_recall"]
        known = rows["failure"].isna() & recall.notna()
        wrong = scores.values(metric, Protocol.ABSTAIN).reindex(rows.index) < wrong_below
        outcomes = {
            "retrieved_but_wrong": (recall == 1) & wrong,
            "right_without_evidence": (recall < 1) & ~wrong,
        }
        found += [
            figure_of(scores, rows, happened.astype(float).where(known), group=OVERALL, metric=name)
            for name, happened in outcomes.items()
        ]
    return found


def _groups(cell: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    parts = [(str(category), cell[cell["category"] == category]) for category in Category]
    return [(name, rows) for name, rows in [*parts, (OVERALL, cell)] if len(rows)]
