"""95% intervals by a percentile bootstrap over clusters (Efron and Tibshirani 1993; `scipy.stats.bootstrap`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

RESAMPLES = 2_000
_BATCH = 250


class Interval(NamedTuple):
    low: float
    high: float


def interval(
    values: Sequence[float],
    clusters: Sequence[str],
    strata: Sequence[str] | None = None,
    *,
    seed: int = 0,
) -> Interval | None:
    """Interval of the mean of `values`, or of the mean of the means of `strata`.

    Clusters are drawn with replacement, with all their values. None where there is but one cluster. The same input
    gives the same interval, whatever the order of the rows.
    """
    sums, counts = _totals(values, clusters, strata)
    if len(sums) < 2:
        return None
    from scipy.stats import bootstrap

    def mean_of_means(drawn: np.ndarray, axis: int) -> np.ndarray:
        chosen = drawn.astype(int)
        n = counts[chosen].sum(axis=-2)
        means = np.divide(sums[chosen].sum(axis=-2), n, out=np.full(n.shape, np.nan), where=n > 0)
        return np.nanmean(means, axis=-1)

    result = bootstrap(
        (np.arange(len(sums)),),
        mean_of_means,
        n_resamples=RESAMPLES,
        batch=_BATCH,
        method="percentile",
        rng=np.random.default_rng(seed),
        axis=-1,
    )
    return Interval(float(result.confidence_interval.low), float(result.confidence_interval.high))


def _totals(
    values: Sequence[float], clusters: Sequence[str], strata: Sequence[str] | None
) -> tuple[np.ndarray, np.ndarray]:
    """Sum and count of the values, each of shape (clusters, strata)."""
    names, rows = np.unique(np.asarray(clusters, dtype=str), return_inverse=True)
    groups, columns = np.unique(np.asarray(strata if strata is not None else [""] * len(rows)), return_inverse=True)
    sums, counts = np.zeros((len(names), len(groups))), np.zeros((len(names), len(groups)))
    order = np.argsort(np.asarray(values), kind="stable")
    np.add.at(sums, (rows[order], columns[order]), np.asarray(values, dtype=float)[order])
    np.add.at(counts, (rows, columns), 1)
    return sums, counts
