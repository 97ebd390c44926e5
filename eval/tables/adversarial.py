"""Adversarial questions under both protocols, beside the scores of constant answers and the price of refusing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eval.datasets.categories import Category
from eval.scoring.adversarial import ConstantAnswer, OptionUse, false_refusals
from eval.scoring.figures import Figure, by_category
from eval.scoring.scores import Protocol, Scores
from eval.tables import numbers
from eval.tables.layout import figure_column, figure_table
from eval.tables.meta import RunMeta
from eval.tables.table import Cell, Row, Section, Table


def adversarial_table(scores: Scores, constants: Sequence[ConstantAnswer], meta: RunMeta) -> Table:
    """`constants` come from `eval.scoring.adversarial.constant_answers` of the same answers."""
    columns = [
        figure_column("trap", "F1", "trap_f1", _adversarial(scores, "f1_amem_set", Protocol.TRAP)),
        figure_column("trap", "BLEU", "trap_bleu1", _adversarial(scores, "bleu1", Protocol.TRAP)),
        figure_column("abstain", "Acc.", "abstain", _adversarial(scores, "f1_amem_set", Protocol.ABSTAIN)),
        figure_column("answerable", "refused", "false_refusal", false_refusals(scores)),
    ]
    return figure_table(
        "adversarial",
        "Adversarial questions under both protocols",
        "Scores ×100 on adversarial questions, and the share (%) of the answerable ones that were refused",
        columns,
        scores,
        meta,
        notes=(
            "trap: the reference is the tempting wrong answer (A-Mem's code). abstain: 1 for a reply that says that "
            "the conversation does not hold the answer (LoCoMo). The two order methods oppositely.",
            "refused: such a reply to a question that has an answer; without it, refusing everything looks like skill.",
        ),
        extra=_constants(constants),
        extra_records=_records(constants),
    )


def answers_itself(uses: Sequence[OptionUse], meta: RunMeta) -> list[str]:
    """A note where a method is not held to the options of adversarial questions; nothing where none answers itself."""
    own = [use for use in uses if use.itself]
    if not own:
        return []
    labels = " and ".join(dict.fromkeys(meta.method(use.method).label for use in own))
    others = [use for use in uses if not use.itself]
    beside = f" (of the other methods', {_neither(others)})" if others else ""
    return [
        f"{labels}: answered by a function call of its own, which does not hold the reply to the two options of an "
        f"adversarial question: {_neither(own)} of these replies are neither of the two{beside}. Such a reply is "
        "scored all the same, so this row is not like the others in the adversarial columns."
    ]


def _neither(uses: Sequence[OptionUse]) -> str:
    return f"{sum(use.neither for use in uses):,} of {sum(use.replies for use in uses):,}"


def _adversarial(scores: Scores, metric: str, protocol: Protocol) -> list[Figure]:
    return [figure for figure in by_category(scores, metric, protocol) if figure.group == Category.ADVERSARIAL]


def _constants(constants: Sequence[ConstantAnswer]) -> list[Section]:
    if not constants:
        return []
    rows: list[Row] = []
    for strategy, f1, bleu in _by_strategy(constants):
        texts = [numbers.points(value) for value in (f1.trap, bleu.trap, f1.abstain)]
        rows += [
            Row(strategy, (*map(Cell, texts), Cell())),
            Row("n", (*(Cell(numbers.whole(f1.n)) for _ in texts), Cell()), minor=True),
        ]
    return [Section("Constant answers", tuple(rows))]


def _records(constants: Sequence[ConstantAnswer]) -> list[dict[str, object]]:
    return [
        {"backbone": "constant", "method": strategy, "trap_f1": f1.trap, "trap_f1_n": f1.n, "trap_bleu1": bleu.trap,
         "trap_bleu1_n": bleu.n, "abstain": f1.abstain, "abstain_n": f1.n}
        for strategy, f1, bleu in _by_strategy(constants)
    ]  # fmt: skip


def _by_strategy(constants: Sequence[ConstantAnswer]) -> Iterator[tuple[str, ConstantAnswer, ConstantAnswer]]:
    for strategy in dict.fromkeys(constant.strategy for constant in constants):
        by_metric = {constant.metric: constant for constant in constants if constant.strategy == strategy}
        yield strategy, by_metric["f1_amem_set"], by_metric["bleu1"]
