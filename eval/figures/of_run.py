"""The figures that every run on LoCoMo has."""

from __future__ import annotations

from pathlib import Path

from eval.figures.against_f1 import evidence_against_f1, tokens_against_f1
from eval.figures.drawn import Drawn
from eval.figures.table1_bars import table1_bars
from eval.figures.tsne import dialogues_of, tsne
from eval.scoring.run_folder import read_run
from eval.scoring.scores import Scores, score_answers
from eval.tables.meta import RunMeta

METRICS = ("f1_amem_set", "f1_locomo", "bleu1")


def scored(folder: Path) -> tuple[Scores, RunMeta]:
    """The scores that figures and reports need, and the names that go with them."""
    run = read_run(folder)
    return score_answers(run.answers, metrics=METRICS, manifest=run.manifest), RunMeta.from_manifest(run.manifest)


def run_figures(scores: Scores, meta: RunMeta) -> list[Drawn]:
    """`scores` with at least `f1_amem_set`."""
    return [table1_bars(scores, meta), tokens_against_f1(scores, meta), evidence_against_f1(scores, meta)]


def figures_of(folder: Path) -> list[Drawn]:
    """The same of a run's folder, and figure 4 where the run has a memory of notes."""
    dialogues = dialogues_of(folder)
    return [*run_figures(*scored(folder)), *([tsne(dialogues)] if dialogues else [])]
