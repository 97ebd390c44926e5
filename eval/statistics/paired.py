"""Differences between methods on the same questions, and whether they can be told from chance.

A difference is tested by the t statistic with a covariance that is robust to clusters (Liang and Zeger 1986;
statsmodels' OLS of the differences on a constant, with the number of clusters less one as degrees of freedom), and the
p-values of one family of comparisons are adjusted by Holm's method.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from eval.statistics.bootstrap import Interval, interval
from eval.statistics.clusters import cluster_of, unit_of

if TYPE_CHECKING:
    import pandas as pd

SIGNIFICANT_BELOW = 0.05


@dataclass(frozen=True, slots=True)
class Difference:
    """Mean of `first` less mean of `second` over the questions that both answered."""

    first: str
    second: str
    group: str
    """The category, or what else the comparison was made within."""
    mean: float
    interval: Interval | None
    p: float | None
    """None where it can't be told: fewer than two clusters."""
    p_holm: float | None
    """Adjusted for all comparisons of its family; None where `p` is None."""
    n: int

    @property
    def significant(self) -> bool:
        return self.p_holm is not None and self.p_holm < SIGNIFICANT_BELOW


def differences(frame: pd.DataFrame, values: pd.Series, group: str = "category") -> list[Difference]:
    """Every pair of methods within every value of column `group`: one family of comparisons.

    frame: rows of one backbone, answered questions only, as in `Scores.frame`. values: their scores, same index.
    """
    unit = unit_of(frame)
    found = []
    for name, rows in frame.groupby(group, sort=False):
        scores = {method: _by_question(part, values) for method, part in rows.groupby("method", sort=False)}
        clusters = dict(zip(rows["question_id"], cluster_of(rows, unit), strict=True))
        found += [_difference(a, b, str(name), scores, clusters) for a, b in combinations(scores, 2)]
    return holm(found)


def holm(found: Sequence[Difference]) -> list[Difference]:
    """The same differences with `p_holm` filled in, as one family."""
    from statsmodels.stats.multitest import multipletests

    tested = [place for place, difference in enumerate(found) if difference.p is not None]
    if not tested:
        return list(found)
    # multipletests ends in a full garbage collection: seconds beside a loaded torch, where nothing is to be found.
    gc.freeze()
    try:
        adjusted = multipletests([found[place].p for place in tested], method="holm")[1]
    finally:
        gc.unfreeze()
    by_place = dict(zip(tested, map(float, adjusted), strict=True))
    return [replace(difference, p_holm=by_place.get(place)) for place, difference in enumerate(found)]


def clustered_p(values: Sequence[float], clusters: Sequence[str]) -> float | None:
    """Two-sided p-value of the mean being 0; None where there are fewer than two clusters."""
    import numpy as np
    from statsmodels.regression.linear_model import OLS

    names, codes = np.unique(np.asarray(clusters, dtype=str), return_inverse=True)
    data = np.asarray(values, dtype=float)
    if len(names) < 2:
        return None
    if np.ptp(data) == 0:
        # Nothing varies, so there is no standard error; the sign test still knows how often this happens by chance.
        return 1.0 if data[0] == 0 else 2.0 ** (1 - len(names))
    fit = OLS(data, np.ones((len(data), 1))).fit(cov_type="cluster", cov_kwds={"groups": codes}, use_t=True)
    p = float(fit.pvalues[0])
    return 1.0 if np.isnan(p) else p


def _by_question(rows: pd.DataFrame, values: pd.Series) -> Mapping[tuple[str, int], float]:
    keys: Iterable[tuple[str, int]] = zip(rows["question_id"], rows["repeat"], strict=True)
    return dict(zip(keys, values.loc[rows.index], strict=True))


def _difference(
    first: str,
    second: str,
    group: str,
    scores: Mapping[str, Mapping[tuple[str, int], float]],
    clusters: Mapping[str, str],
) -> Difference:
    common = [key for key in scores[first] if key in scores[second]]
    deltas = [scores[first][key] - scores[second][key] for key in common]
    drawn = [clusters[question] for question, _ in common]
    mean = sum(deltas) / len(deltas) if deltas else float("nan")
    return Difference(
        first, second, group, mean, interval(deltas, drawn), clustered_p(deltas, drawn), p_holm=None, n=len(deltas)
    )
