"""k of a sweep: what every fixed k scores, what the best one would, and what a k scores that was chosen elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eval.datasets.categories import Category
from eval.scoring.figures import Figure, by_category, figure_of
from eval.scoring.scores import Protocol, Scores

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Chosen:
    """A figure of one category whose k was chosen by the category's own scores."""

    figure: Figure
    ks: tuple[int, ...]
    """Of the best: all that share the highest figure as printed, so one without a tie, and `figure` is of the smallest.
    Where each was chosen on the others: one a conversation, in their order."""


@dataclass(frozen=True, slots=True)
class SweptFigures:
    """One backbone, one method and one metric; all by category."""

    fixed: Mapping[int, Mapping[Category, Figure]]
    best: Mapping[Category, Chosen]
    """The k with the highest figure: chosen on the very questions that it is scored on."""
    left_out: Mapping[Category, Chosen]
    """Every conversation scored at the k that is best on all others. No category that one conversation has alone."""


def swept_figures(scores: Scores, backbone: str, by_k: Mapping[int, str], metric: str) -> SweptFigures:
    """`by_k`: the sweep's methods. Adversarial questions are scored against the trap; ties go to the smaller k."""
    frame = scores.frame[(scores.frame["backbone"] == backbone) & scores.frame["method"].isin(by_k.values())]
    own = Scores(frame, scores.metrics)
    found = by_category(own, metric, Protocol.TRAP)
    fixed = {k: {Category(f.group): f for f in found if f.method == by_k[k]} for k in sorted(by_k)}
    present = [category for category in Category if any(category in figures for figures in fixed.values())]
    return SweptFigures(
        fixed,
        {category: _best(fixed, category) for category in present},
        _left_out(own, by_k, metric, present),
    )


def _best(fixed: Mapping[int, Mapping[Category, Figure]], category: Category) -> Chosen:
    means = {k: figures[category].mean for k, figures in fixed.items() if category in figures}
    k = _highest(means)
    alike = tuple(other for other, mean in means.items() if round(mean, 2) == round(means[k], 2))
    return Chosen(fixed[k][category], alike or (k,))


def _left_out(
    scores: Scores, by_k: Mapping[int, str], metric: str, categories: list[Category]
) -> dict[Category, Chosen]:
    values = scores.values(metric, Protocol.TRAP)
    found = {}
    for category in categories:
        rows = scores.frame[scores.frame["category"] == category]
        conversations = rows["conversation"].unique()
        ks = {c: k for c in conversations if (k := _chosen_without(c, rows, values, by_k)) is not None}
        if ks:
            found[category] = _scored(scores, rows, values, by_k, ks, metric, category)
    return found


def _chosen_without(conversation: str, rows: pd.DataFrame, values: pd.Series, by_k: Mapping[int, str]) -> int | None:
    """The best k on all other conversations; None where they hold no answer."""
    others = rows[rows["conversation"] != conversation]
    means = {k: values.reindex(others[others["method"] == method].index).mean() for k, method in sorted(by_k.items())}
    known = {k: float(mean) for k, mean in means.items() if mean == mean}
    return _highest(known) if known else None


def _scored(
    scores: Scores,
    rows: pd.DataFrame,
    values: pd.Series,
    by_k: Mapping[int, str],
    ks: Mapping[str, int],
    metric: str,
    category: Category,
) -> Chosen:
    chosen = rows["conversation"].map({conversation: by_k[k] for conversation, k in ks.items()})
    figure = figure_of(scores, rows[rows["method"] == chosen], values, group=category, metric=metric)
    return Chosen(figure, tuple(ks.values()))


def _highest(means: Mapping[int, float]) -> int:
    """The smallest k with the highest mean; one whose mean is NaN never wins."""
    return max(sorted(means), key=lambda k: (means[k] == means[k], means[k]))
