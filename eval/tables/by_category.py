"""Metrics by category, beyond those of Table 1: LoCoMo's own F1, and the metrics of the paper's appendix."""

from __future__ import annotations

from collections.abc import Mapping

from eval.datasets.categories import Category
from eval.scoring.figures import by_category
from eval.scoring.scores import Protocol, Scores
from eval.tables import captions
from eval.tables.layout import FigureColumn, figure_column, figure_table
from eval.tables.marks import marks, paired_by_backbone
from eval.tables.meta import RunMeta
from eval.tables.table import Table


def locomo_f1(scores: Scores, meta: RunMeta) -> Table:
    """F1 as LoCoMo's scorer has it, adversarial questions by abstention."""
    return metrics_by_category(
        "locomo-f1",
        "F1 as LoCoMo's own scorer computes it",
        {"f1_locomo": "F1"},
        scores,
        meta,
        note="Token counts with Porter stems; multi-hop answers by comma-separated part, open-domain references up to "
        "the first semicolon, adversarial questions 1 for an abstention and 0 for any other reply.",
    )


def appendix(scores: Scores, meta: RunMeta) -> list[Table]:
    """The tables of the paper's appendix, for the metrics that were scored."""
    pages = {
        "rouge": ("ROUGE-2 and ROUGE-L by category", {"rouge2_f": "ROUGE-2", "rougeL_f": "ROUGE-L"}),
        "meteor-sbert": ("METEOR and SBERT similarity by category", {"meteor": "METEOR", "sbert_similarity": "SBERT"}),
        "bertscore": ("BERTScore by category", {"bertscore": "BERTScore"}),
    }
    note = "Adversarial questions are scored against the trap."
    return [
        metrics_by_category(key, title, metrics, scores, meta, note=note)
        for key, (title, metrics) in pages.items()
        if set(metrics) <= set(scores.metrics)
    ]


def metrics_by_category(
    key: str, title: str, metrics: Mapping[str, str], scores: Scores, meta: RunMeta, *, note: str
) -> Table:
    """One column a category and metric; `metrics` maps names to headings."""
    by_metric = {name: _columns(scores, name, heading) for name, heading in metrics.items()}
    columns = [by_metric[name][category] for category in Category for name in metrics if category in by_metric[name]]
    marked = captions.marks_meant(mark for column in columns for mark in column.marks.values())
    return figure_table(key, title, "Mean score, ×100", columns, scores, meta, notes=[note, *marked])


def _columns(scores: Scores, name: str, heading: str) -> dict[Category, FigureColumn]:
    figures = by_category(scores, name, Protocol.TRAP)
    marked = marks(figures, paired_by_backbone(scores, name, Protocol.TRAP))
    groups = {category: [figure for figure in figures if figure.group == category] for category in Category}
    return {
        category: figure_column(category.label, heading, f"{category}_{name}", own, marked)
        for category, own in groups.items()
        if own
    }
