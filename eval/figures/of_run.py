"""The figures that every run on LoCoMo has."""

from __future__ import annotations

from eval.figures.against_f1 import evidence_against_f1, tokens_against_f1
from eval.figures.drawn import Drawn
from eval.figures.table1_bars import table1_bars
from eval.scoring.scores import Scores
from eval.tables.meta import RunMeta


def run_figures(scores: Scores, meta: RunMeta) -> list[Drawn]:
    """`scores` with at least `f1_amem_set`."""
    return [table1_bars(scores, meta), tokens_against_f1(scores, meta), evidence_against_f1(scores, meta)]
