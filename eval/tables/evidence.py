"""Evidence recall and precision, overall and by category, and what became of it in the answers."""

from __future__ import annotations

from eval.datasets.categories import Category
from eval.scoring.evidence import CUTS
from eval.scoring.figures import Figure
from eval.scoring.retrieval import OVERALL, WRONG_BELOW, evidence_recall, retrieved_against_answered
from eval.scoring.scores import Scores
from eval.tables import numbers
from eval.tables.layout import FigureColumn, figure_column, figure_table
from eval.tables.meta import RunMeta
from eval.tables.table import Table

_KINDS = {"verbatim": "verbatim", "derived": "derived", "any": "either"}
_DEFINITION = (
    "Recall: share of a question's evidence turns among the turns that the recalled text came from; derived: through "
    "text written from a turn (a gist, a summary). Questions without evidence are left out."
)


def evidence_table(scores: Scores, meta: RunMeta) -> Table:
    """Over all questions that have evidence."""
    recalls = {f"evidence_{kind}_recall": heading for kind, heading in _KINDS.items()}
    cuts = {f"evidence_any_recall_at_{k}": f"@{k}" for k in CUTS}
    precisions = {f"evidence_{kind}_precision": _KINDS[kind] for kind in ("verbatim", "any")}
    found = evidence_recall(scores, [*recalls, *cuts, *precisions])
    columns = [_column(found, OVERALL, "Recall (%)", heading, name) for name, heading in recalls.items()]
    columns += [_column(found, OVERALL, "Recall of either, of the first k turns (%)", h, n) for n, h in cuts.items()]
    columns += [_column(found, OVERALL, "Precision (%)", heading, name) for name, heading in precisions.items()]
    outcomes = retrieved_against_answered(scores)
    columns += [
        _column(outcomes, OVERALL, "Questions (%)", "found, wrong", "retrieved_but_wrong"),
        _column(outcomes, OVERALL, "Questions (%)", "missed, right", "right_without_evidence"),
    ]
    return figure_table(
        "evidence",
        "Evidence: what was recalled, and what became of it",
        "Shares in %",
        columns,
        scores,
        meta,
        notes=(
            _DEFINITION,
            "Precision: share of the recalled turns that are evidence.",
            f"found, wrong: all evidence recalled, but F1 (token sets) below {WRONG_BELOW}; missed, right: the "
            "reverse; of the answerable questions with evidence.",
        ),
        show=numbers.share,
    )


def evidence_by_category(scores: Scores, meta: RunMeta) -> Table:
    """Recall by category, verbatim and derived apart."""
    names = {"evidence_verbatim_recall": "verbatim", "evidence_derived_recall": "derived"}
    found = evidence_recall(scores, list(names))
    columns = [
        _column(found, category, category.label, heading, name)
        for category in Category
        if any(figure.group == category for figure in found)
        for name, heading in names.items()
    ]
    return figure_table(
        "evidence-by-category",
        "Evidence recall by category",
        "Recall in %",
        columns,
        scores,
        meta,
        notes=(_DEFINITION,),
        show=numbers.share,
    )


def _column(found: list[Figure], group: str, heading: str, name: str, metric: str) -> FigureColumn:
    chosen = [figure for figure in found if (figure.group, figure.metric) == (group, metric)]
    prefix = "" if group == OVERALL else f"{group}_"
    return figure_column(heading, name, f"{prefix}{metric}", chosen)
