"""How far verdicts agree, with what chance would give taken off (Cohen 1960; Fleiss 1971; statsmodels)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Agreement(NamedTuple):
    share: float
    """Of the pairs of verdicts on a question that are equal."""
    kappa: float | None
    """None where every verdict is the same: chance agreement is then complete, and kappa undefined."""
    n: int
    """Questions."""


def between(first: Sequence[bool], second: Sequence[bool]) -> Agreement | None:
    """Agreement of two judges of the same questions; None without a question."""
    return within([list(pair) for pair in zip(first, second, strict=True)])


def within(verdicts: Sequence[Sequence[bool]]) -> Agreement | None:
    """Agreement of the verdicts on each question, of which all questions have equally many, at least two."""
    import numpy as np
    from statsmodels.stats.inter_rater import fleiss_kappa

    if not verdicts:
        return None
    right = np.array([sum(row) for row in verdicts])
    raters = len(verdicts[0])
    table = np.column_stack([raters - right, right])
    share = float((table * (table - 1)).sum() / (len(verdicts) * raters * (raters - 1)))
    uniform = table.sum(axis=0).min() == 0
    return Agreement(share, None if uniform else float(fleiss_kappa(table)), len(verdicts))
