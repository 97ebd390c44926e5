"""The figures of a run on DialSim."""

from __future__ import annotations

from eval.dialsim.scores import Group, of_group
from eval.figures.against_f1 import days_against_f1, tokens_against_f1
from eval.figures.drawn import Drawn
from eval.figures.table1_bars import grouped_bars
from eval.scoring.figures import cells, figure_of
from eval.scoring.scores import Scores
from eval.tables.meta import RunMeta


def dialsim_figures(scores: Scores, meta: RunMeta) -> list[Drawn]:
    """`scores` of `score_dialsim` with at least `f1_amem_set`."""
    return [
        group_bars(scores, meta),
        tokens_against_f1(scores, meta),
        days_against_f1(scores, meta),
    ]


def group_bars(scores: Scores, meta: RunMeta) -> Drawn:
    """F1 of all questions, and of those that can and can't be answered."""
    found = [
        figure_of(scores, rows, scores.frame["f1_amem_set"], group=group, metric="f1_amem_set")
        for _, cell in cells(scores)
        for group in Group
        if len(rows := of_group(cell, group))
    ]
    labels = {group.value: group.value for group in Group}
    return grouped_bars("table2_bars", "F1 by what can be answered, with 95% intervals", found, labels, meta)
