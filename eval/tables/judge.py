"""Verdicts of an optional judge, and how far it can be relied on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from eval.datasets.categories import Category
from eval.scoring.figures import Figure, cells, figure_of
from eval.scoring.judge import Judgement, Strictness
from eval.scoring.retrieval import WRONG_BELOW
from eval.scoring.scores import Scores
from eval.statistics.agreement import Agreement, between, within
from eval.tables import numbers
from eval.tables.layout import figure_column, figure_table
from eval.tables.meta import RunMeta
from eval.tables.table import Cell, Row, Section, Table

if TYPE_CHECKING:
    import pandas as pd

_KEYS = ["backbone", "method", "question_id", "repeat"]


def judge_table(scores: Scores, judgements: Sequence[Judgement], meta: RunMeta) -> Table:
    """Share judged correct for each method, strict and lenient; agreement with F1 and of the judge with itself."""
    import pandas as pd

    frame = pd.DataFrame(judgements)
    kinds = [kind for kind in Strictness if kind in set(frame["strictness"])]
    columns = [
        figure_column("Judged correct (%)", str(kind), f"judge_{kind}", _figures(scores, frame, kind)) for kind in kinds
    ]
    return figure_table(
        "judge",
        "Verdicts of a judge",
        "Share of the answerable questions judged correct",
        columns,
        scores,
        meta,
        show=numbers.share,
        extra=[Section("The judge's agreement (equal verdicts in %, kappa)", tuple(_agreements(scores, frame, kinds)))],
        notes=(
            f"Judge: {'; '.join(frame['judge'].unique())}; {frame['attempt'].nunique()} verdicts an answer; "
            f"{int(frame['failure'].notna().sum())} of {len(frame):,} failed and are left out.",
            f"With F1: an answer counts as right at F1 (token sets) of at least {WRONG_BELOW}.",
            "A judge is a model with a prompt: its figures compare with those of the same judge only.",
        ),
    )


def _verdicts(frame: pd.DataFrame, kind: Strictness) -> pd.DataFrame:
    chosen = frame[(frame["strictness"] == kind) & frame["failure"].isna()]
    return chosen.assign(correct=chosen["correct"].astype(bool))


def _figures(scores: Scores, frame: pd.DataFrame, kind: Strictness) -> list[Figure]:
    import pandas as pd

    means = _verdicts(frame, kind).groupby(_KEYS)["correct"].mean()
    places = pd.MultiIndex.from_frame(scores.frame[_KEYS])
    values = pd.Series(means.reindex(places).to_numpy(dtype=float), index=scores.frame.index)
    answerable = scores.frame["category"] != Category.ADVERSARIAL
    return [
        figure_of(scores, rows, values, group="answerable", metric=f"judge_{kind}")
        for _, cell in cells(scores)
        if len(rows := cell[answerable.loc[cell.index]])
    ]


def _agreements(scores: Scores, frame: pd.DataFrame, kinds: Sequence[Strictness]) -> list[Row]:
    f1 = scores.frame.set_index(_KEYS)["f1_amem_set"]
    with_f1, with_itself = [], []
    for kind in kinds:
        verdicts = _verdicts(frame, kind)
        first = verdicts[verdicts["attempt"] == 0].set_index(_KEYS)["correct"]
        with_f1.append(between(list(first), list(f1.reindex(first.index) >= WRONG_BELOW)))
        groups = [list(group) for _, group in verdicts.groupby(_KEYS)["correct"]]
        attempts = frame["attempt"].nunique()
        with_itself.append(within([group for group in groups if len(group) == attempts]) if attempts > 1 else None)
    rows = {"with F1": with_f1, "with itself": with_itself}
    return [row for label, found in rows.items() for row in _agreement_rows(label, found)]


def _agreement_rows(label: str, found: Sequence[Agreement | None]) -> list[Row]:
    texts = [_shown(agreement) for agreement in found]
    counts = [numbers.whole(agreement.n) if agreement else "" for agreement in found]
    return [Row(label, tuple(map(Cell, texts))), Row("n", tuple(map(Cell, counts)), minor=True)]


def _shown(agreement: Agreement | None) -> str:
    if agreement is None:
        return "one verdict an answer"
    kappa = numbers.UNKNOWN if agreement.kappa is None else f"{agreement.kappa:.2f}"
    return f"{numbers.share(100 * agreement.share)}, {kappa}"
