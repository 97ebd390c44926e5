"""What each difference between the paper's A-Mem and the released one is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from eval.datasets.categories import Category
from eval.discrepancies.effects import ALL, Costs, Effect
from eval.discrepancies.variants import PAPER
from eval.scoring.scores import Scores
from eval.statistics.paired import Difference
from eval.tables import captions, numbers
from eval.tables.layout import minor
from eval.tables.meta import RunMeta
from eval.tables.table import Cell, Column, Mark, Row, Section, Table

Effects = Mapping[str, tuple[Costs, Sequence[Effect]]]
"""By backbone: costs of the paper's variant, and the effects of all others."""


def discrepancies_table(found: Effects, scores: Scores, meta: RunMeta) -> Table:
    """A row a flipped switch; the paper's variant stands first with its own figures."""
    present = [category for category in Category if category in set(scores.frame["category"])]
    groups = [*(str(category) for category in present), ALL]
    columns = [
        *(Column("Change in F1", category.label) for category in present),
        Column("Change in F1", "all"),
        Column("Evidence", "recall"),
        Column("Changed %", "recall"),
        Column("Changed %", "answer"),
        Column("A question", "tokens"),
        Column("A question", "calls"),
        Column("A turn", "calls"),
        Column("A turn", "tokens"),
    ]
    sections = [
        Section(meta.backbone(backbone).label, tuple(_rows(backbone, base, effects, groups, scores, meta)))
        for backbone, (base, effects) in found.items()
    ]
    return Table(
        key="discrepancies",
        title="The paper's A-Mem with one switch at a time as the released code has it",
        label="Switch",
        columns=tuple(columns),
        sections=tuple(sections),
        caption=captions.of_run("Differences to the paper's variant, on the same questions, ×100", scores, meta),
        notes=(
            captions.intervals(scores),
            "F1 over token sets, adversarial questions by the trap. Bold: p < 0.05, t test of the paired differences "
            "with cluster-robust errors, adjusted by Holm over all rows and columns of F1.",
            "The first row holds the paper variant's own figures, the others differences to it. Changed: share of "
            "questions recalled otherwise, and answered otherwise. Tokens a question: the answering prompt in "
            "o200k_base; a turn: all calls that took it in, as the backbone counts.",
        ),
        records=tuple(_record(backbone, effect) for backbone, (_, effects) in found.items() for effect in effects),
    )


def _rows(
    backbone: str, base: Costs, effects: Sequence[Effect], groups: list[str], scores: Scores, meta: RunMeta
) -> list[Row]:
    rows = [_paper_row(backbone, base, groups, scores, meta)]
    for effect in effects:
        f1 = [effect.f1.get(group) for group in groups]
        changed = [numbers.share(100 * share) for share in (effect.recalls_changed, effect.answers_changed)]
        ends = [_points(effect.recall), *changed, *_costs(effect.costs, signed=True)]
        means = [Cell(_points(d), Mark.BEST if d and d.significant else None) for d in f1]
        rows.append(Row(meta.method(effect.method).label, (*means, *map(Cell, ends))))
        rows.append(minor("95%", [_span(d) for d in [*f1, effect.recall]], len(means) + len(ends)))
    return rows


def _paper_row(backbone: str, base: Costs, groups: list[str], scores: Scores, meta: RunMeta) -> Row:
    own = scores.answered
    own = own[(own["backbone"] == backbone) & (own["method"] == PAPER)]
    f1 = [own["f1_amem_set"] if group == ALL else own.loc[own["category"] == group, "f1_amem_set"] for group in groups]
    means = [numbers.points(100 * values.mean()) for values in [*f1, own["evidence_any_recall"]]]
    return Row(meta.method(PAPER).label, tuple(map(Cell, [*means, "", "", *_costs(base, signed=False)])))


def _costs(costs: Costs, *, signed: bool) -> list[str]:
    fine, whole = (numbers.signed, numbers.signed_whole) if signed else (numbers.points, numbers.whole)
    return [
        whole(costs.prompt_tokens),
        fine(costs.calls_a_question),
        fine(costs.calls_a_turn),
        whole(costs.tokens_a_turn),
    ]


def _points(difference: Difference | None) -> str:
    return "" if difference is None else numbers.signed(100 * difference.mean)


def _span(difference: Difference | None) -> str:
    if difference is None or difference.interval is None:
        return "" if difference is None else numbers.UNKNOWN
    low, high = (numbers.signed_whole(100 * end) for end in difference.interval)
    return f"{low} to {high}"


def _record(backbone: str, effect: Effect) -> dict[str, Any]:
    record: dict[str, Any] = {"backbone": backbone, "method": effect.method}
    named = {f"f1_{group}": difference for group, difference in effect.f1.items()}
    for name, difference in {**named, "evidence_recall": effect.recall}.items():
        if difference is not None:
            low, high = difference.interval or (None, None)
            record |= {name: 100 * difference.mean, f"{name}_n": difference.n, f"{name}_p_holm": difference.p_holm}
            record |= {f"{name}_low": low and 100 * low, f"{name}_high": high and 100 * high}
    record |= {"recalls_changed": effect.recalls_changed, "answers_changed": effect.answers_changed}
    return record | {name: getattr(effect.costs, name) for name in effect.costs.__dataclass_fields__}
