"""All categories together, in the ways over which published means differ."""

from __future__ import annotations

from collections.abc import Iterator

from eval.scoring.figures import Overall, overall
from eval.scoring.scores import Protocol, Scores
from eval.tables.layout import FigureColumn, figure_column, figure_table
from eval.tables.meta import RunMeta
from eval.tables.table import Table

_METRICS = {"f1_amem_set": "F1", "f1_locomo": "LoCoMo F1"}


def overall_table(scores: Scores, meta: RunMeta) -> Table:
    """Question-weighted and category means, with adversarial questions (both protocols) and without."""
    columns = [
        column for name, label in _METRICS.items() if name in scores.metrics for column in _columns(scores, name, label)
    ]
    return figure_table(
        "overall",
        "All categories together",
        "Overall means, ×100",
        columns,
        scores,
        meta,
        notes=(
            "questions: every answer counts alike, so single-hop questions, the most frequent, weigh most. categories: "
            "mean of the categories' means.",
            "answerable: adversarial questions left out, in numerator and denominator.",
        ),
    )


def _columns(scores: Scores, name: str, label: str) -> Iterator[FigureColumn]:
    # LoCoMo's F1 has one rule for adversarial questions, so both protocols would print the same.
    protocols = {Protocol.ABSTAIN: "all"} if name == "f1_locomo" else {p: f"all, {p}" for p in Protocol}
    for protocol, heading in protocols.items():
        yield from _pair(scores, name, f"{label}: {heading}", protocol, with_adversarial=True)
    yield from _pair(scores, name, f"{label}: answerable", Protocol.ABSTAIN, with_adversarial=False)


def _pair(
    scores: Scores, name: str, heading: str, protocol: Protocol, *, with_adversarial: bool
) -> Iterator[FigureColumn]:
    figures = overall(scores, name, protocol)
    for kind in Overall:
        if kind.with_adversarial is with_adversarial:
            weight = "categories" if kind.by_category else "questions"
            extent = f"all_{protocol}" if with_adversarial else "answerable"
            chosen = [figure for figure in figures if figure.group == kind]
            yield figure_column(heading, weight, f"{name}_{extent}_{weight}", chosen)
