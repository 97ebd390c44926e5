"""Failures are no answers: they are counted apart, and a table that rests on too few answers is refused."""

from __future__ import annotations

from amem.errors import ResultsError
from eval.scoring.figures import cells
from eval.scoring.scores import Scores

MAX_FAILURE_SHARE = 0.05


def check_failures(
    scores: Scores, *, max_failure_share: float = MAX_FAILURE_SHARE, allow_failures: bool = False
) -> None:
    """Raise `ResultsError` where a larger share of the questions of any backbone and method failed, or all did.

    `allow_failures` lets the table through; its figures are then means over those that were answered.
    """
    if allow_failures:
        return
    refused = []
    for (backbone, method), rows in cells(scores):
        failed = rows["failure"].notna()
        if failed.mean() > max_failure_share:
            kinds = rows.loc[failed, "failure"].value_counts().sort_index()
            named = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
            refused.append(f"{backbone}/{method}: {failed.sum()} of {len(rows)} ({named})")
    if refused:
        raise ResultsError(
            f"no table: more than {max_failure_share:.0%} of the questions failed for {'; '.join(refused)}. "
            "A mean over the rest would flatter these rows. The same run command asks failed questions again; "
            "allow failures (scoring.allow_failures=true, or --allow-failures) to see the table all the same"
        )
