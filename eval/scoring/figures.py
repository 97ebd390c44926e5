"""Figures of a table: a mean with its interval, its denominator, and what failed beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from eval.datasets.categories import Category
from eval.scoring.scores import Protocol, Scores
from eval.statistics.bootstrap import Interval, interval
from eval.statistics.clusters import cluster_of, unit_of
from eval.statistics.repeats import between_repeats

if TYPE_CHECKING:
    import pandas as pd


class Overall(StrEnum):
    """Ways to take all categories together; disputes over published means come down to these four."""

    QUESTIONS = "all questions"
    QUESTIONS_ANSWERABLE = "all questions but adversarial ones"
    CATEGORIES = "mean of the categories"
    CATEGORIES_ANSWERABLE = "mean of the categories but adversarial"

    @property
    def with_adversarial(self) -> bool:
        return self in (Overall.QUESTIONS, Overall.CATEGORIES)

    @property
    def by_category(self) -> bool:
        return self in (Overall.CATEGORIES, Overall.CATEGORIES_ANSWERABLE)


@dataclass(frozen=True, slots=True)
class Figure:
    """A share or a mean score, ×100."""

    backbone: str
    method: str
    group: str
    """A `Category`, an `Overall`, or what the figure is of."""
    metric: str
    protocol: Protocol | None
    """None where it makes no difference."""
    mean: float
    """NaN where nothing was answered."""
    interval: Interval | None
    """95%, by bootstrap over conversations (over questions where there is one conversation)."""
    n: int
    """Answers that the mean is over: questions × repeats, failed ones left out."""
    failed: int
    repeat_sd: float | None
    """Standard deviation between repeats that differ by seed; None without repeats."""


def by_category(scores: Scores, metric: str, protocol: Protocol) -> list[Figure]:
    """A figure for each backbone, method and category present."""
    values = scores.values(metric, protocol)
    return [
        figure_of(scores, rows, values, group=category, metric=metric, protocol=protocol)
        for _, cell in cells(scores)
        for category in Category
        if len(rows := cell[cell["category"] == category])
    ]


def overall(scores: Scores, metric: str, protocol: Protocol) -> list[Figure]:
    """The four overall means for each backbone and method."""
    values = scores.values(metric, protocol)
    found = []
    for _, cell in cells(scores):
        for kind in Overall:
            rows = cell if kind.with_adversarial else cell[cell["category"] != Category.ADVERSARIAL]
            if len(rows):
                found.append(
                    figure_of(
                        scores, rows, values, group=kind, metric=metric, protocol=protocol, strata=kind.by_category
                    )
                )
    return found


def cells(scores: Scores) -> Iterator[tuple[tuple[str, str], pd.DataFrame]]:
    """Rows of each (backbone, method), failed ones too, in the order in which they first appear."""
    yield from scores.frame.groupby(["backbone", "method"], sort=False)


def figure_of(
    scores: Scores,
    rows: pd.DataFrame,
    values: pd.Series,
    *,
    group: str,
    metric: str,
    protocol: Protocol | None = None,
    strata: bool = False,
) -> Figure:
    """The figure of `rows`, of one backbone and method; `values` (0..1, NaN for undefined) share their index.

    strata: average the categories' means, instead of all answers.
    """
    known = values.reindex(rows.index).dropna()
    answered = rows.loc[known.index]
    drawn = cluster_of(answered, unit_of(scores.frame))
    categories = answered["category"] if strata else None
    means = known.groupby(categories).mean() if strata else known
    span = interval(known, drawn, categories) if len(known) else None
    spread = between_repeats(answered, known)
    return Figure(
        backbone=str(rows["backbone"].iloc[0]),
        method=str(rows["method"].iloc[0]),
        group=str(group),
        metric=metric,
        protocol=protocol,
        mean=100 * float(means.mean()),
        interval=span and Interval(100 * span.low, 100 * span.high),
        n=len(known),
        failed=int(rows["failure"].notna().sum()),
        repeat_sd=None if spread is None else 100 * spread,
    )
