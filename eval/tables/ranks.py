"""Mean rank over the categories, computed from the figures that a table prints."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence


def mean_ranks(rows: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Mean over the columns of each row's rank within the column: 1 is the highest figure, ties share their mean rank.

    A figure that is NaN takes no rank, and a column without figures is left out. Rows ranked in no column get NaN.
    """
    from scipy.stats import rankdata

    names = list(rows)
    totals: dict[str, list[float]] = {name: [] for name in names}
    for column in zip(*rows.values(), strict=True):
        present = [(name, value) for name, value in zip(names, column, strict=True) if not math.isnan(value)]
        for (name, _), rank in zip(present, rankdata([-value for _, value in present]), strict=True):
            totals[name].append(float(rank))
    return {name: sum(ranks) / len(ranks) if ranks else math.nan for name, ranks in totals.items()}
