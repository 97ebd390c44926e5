"""Scores under a list of corrections, beside those of the data as published."""

from __future__ import annotations

from eval.datasets.categories import Category
from eval.scoring.errata import Errata
from eval.scoring.figures import Figure, Overall, by_category, overall
from eval.scoring.retrieval import OVERALL, evidence_recall
from eval.scoring.scores import Protocol, Scores
from eval.tables.layout import FigureColumn, figure_column, figure_table
from eval.tables.meta import RunMeta
from eval.tables.table import Table

_RECALL = "evidence_any_recall"


def errata_table(published: Scores, corrected: Scores, errata: Errata, applied: int, meta: RunMeta) -> Table:
    """`corrected` are the scores of the same answers under `errata`, `applied` the questions that it changes."""
    versions = {"published": published, "corrected": corrected}
    found = {name: _figures(scores) for name, scores in versions.items()}
    groups = {str(category): category.label for category in Category}
    groups |= {str(Overall.QUESTIONS): "All questions", _RECALL: "Evidence recall"}
    columns: list[FigureColumn] = [
        figure_column(heading, version, f"{group.replace(' ', '_')}_{version}", figures[group])
        for group, heading in groups.items()
        for version, figures in found.items()
        if group in figures
    ]
    return figure_table(
        "errata",
        "Scores with the data's errors corrected",
        f"F1 over token sets (trap) and evidence recall, ×100, on the data as published and with {applied} questions "
        "corrected",
        columns,
        published,
        meta,
        notes=(f"Corrections: {errata.source}; {applied} of its {len(errata.corrections)} apply to this run.",),
    )


def _figures(scores: Scores) -> dict[str, list[Figure]]:
    figures = by_category(scores, "f1_amem_set", Protocol.TRAP)
    figures += [f for f in overall(scores, "f1_amem_set", Protocol.TRAP) if f.group == Overall.QUESTIONS]
    grouped: dict[str, list[Figure]] = {}
    for figure in figures:
        grouped.setdefault(figure.group, []).append(figure)
    grouped[_RECALL] = [figure for figure in evidence_recall(scores, [_RECALL]) if figure.group == OVERALL]
    return grouped
