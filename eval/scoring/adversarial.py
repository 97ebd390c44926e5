"""What adversarial scores are worth: those of constant answers, and the price of refusing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from eval.datasets.categories import Category
from eval.metrics.f1_locomo import abstains
from eval.metrics.registry import metric
from eval.scoring.answers import Answer
from eval.scoring.figures import Figure, cells, figure_of
from eval.scoring.scores import Scores
from eval.scoring.token_use import asked_the_reader

ABSTENTION = "Not mentioned in the conversation"
"""The option that LoCoMo offers beside the trap."""


@dataclass(frozen=True, slots=True)
class ConstantAnswer:
    """Mean score ×100 over the adversarial questions of whoever always answers alike."""

    strategy: str
    metric: str
    trap: float
    """Under `Protocol.TRAP`."""
    abstain: float
    """Under `Protocol.ABSTAIN`."""
    n: int


def constant_answers(
    answers: Iterable[Answer], metrics: Iterable[str] = ("f1_amem_set", "bleu1")
) -> list[ConstantAnswer]:
    """Scores of always abstaining, always taking the trap, and tossing a coin between the two (its expectation)."""
    traps = {a["question_id"]: a["trap"] for a in answers if a["category"] == Category.ADVERSARIAL}
    if not traps:
        return []
    return [constant for name in metrics for constant in _of_metric(name, list(traps.values()))]


@dataclass(frozen=True, slots=True)
class OptionUse:
    """Of one backbone and method: replies to adversarial questions, and how many are neither of the two options."""

    backbone: str
    method: str
    itself: bool
    """The method answers by a call of its own, and not through the reader that all others share."""
    replies: int
    neither: int


def option_use(answers: Iterable[Answer]) -> list[OptionUse]:
    """Over answered adversarial questions of which options and calls are stored."""
    found: dict[tuple[str, str], list[Answer]] = {}
    for row in answers:
        if row["category"] == Category.ADVERSARIAL and row["prediction"] and row["options"] and row["calls"]:
            found.setdefault((row["backbone"], row["method"]), []).append(row)
    return [
        OptionUse(
            *place,
            itself=not any(asked_the_reader(row["calls"]) for row in rows),
            replies=len(rows),
            neither=sum(row["prediction"] not in row["options"] for row in rows),
        )
        for place, rows in found.items()
    ]


def false_refusals(scores: Scores) -> list[Figure]:
    """Share of the answerable questions that a method declined to answer, for each backbone and method."""
    return [
        figure_of(scores, rows, rows["abstained"], group="answerable", metric="false_refusal")
        for _, cell in cells(scores)
        if len(rows := cell[cell["category"] != Category.ADVERSARIAL])
    ]


def _of_metric(name: str, traps: list[str]) -> list[ConstantAnswer]:
    def mean(predictions: list[str]) -> tuple[float, float]:
        held = metric(name).scores(predictions, traps, [Category.ADVERSARIAL] * len(traps))
        return 100 * sum(held) / len(traps), 100 * sum(map(abstains, predictions)) / len(traps)

    refusing, falling = mean([ABSTENTION] * len(traps)), mean(traps)
    coin = (refusing[0] + falling[0]) / 2, (refusing[1] + falling[1]) / 2
    strategies = {"always abstain": refusing, "always the trap": falling, "coin (expected)": coin}
    return [ConstantAnswer(strategy, name, *values, len(traps)) for strategy, values in strategies.items()]
