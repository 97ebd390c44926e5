"""What flipping a switch changed: answers and recall on the same questions, and what was asked of the model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from eval.discrepancies.variants import PAPER
from eval.memories.cost import NoteCost
from eval.scoring.answers import Answer
from eval.scoring.scores import Protocol, Scores
from eval.statistics.paired import Difference, differences, holm

if TYPE_CHECKING:
    import pandas as pd

F1 = "f1_amem_set"
RECALL = "evidence_any_recall"
ALL = "all"


@dataclass(frozen=True, slots=True)
class Costs:
    """Means: of the answering prompt's tokens and of calls a question, and of calls and tokens a turn taken in."""

    prompt_tokens: float
    calls_a_question: float
    calls_a_turn: float
    tokens_a_turn: float

    def minus(self, other: Costs) -> Costs:
        return Costs(*(getattr(self, name) - getattr(other, name) for name in self.__dataclass_fields__))


@dataclass(frozen=True, slots=True)
class Effect:
    """A method less the paper's variant, on a 0..1 scale. For the paper's variant itself there are no differences."""

    method: str
    f1: dict[str, Difference]
    """By category, and over all questions."""
    recall: Difference | None
    recalls_changed: float
    """Share of the questions that were answered from another text."""
    answers_changed: float
    """Share of the questions that were answered in other words."""
    costs: Costs


def effects(
    scores: Scores, answers: Sequence[Answer], costs: dict[str, NoteCost], backbone: str
) -> tuple[Costs, list[Effect]]:
    """The paper variant's costs, and the effect of every other method of `backbone`, in the order of the answers.

    `costs` by method. Difference and interval as in `eval.statistics.paired`; F1 is one family for Holm's adjustment.
    """
    frame = scores.answered[scores.answered["backbone"] == backbone]
    rows = {m: [a for a in answers if (a["backbone"], a["method"]) == (backbone, m)] for m in frame["method"].unique()}
    base = _costs(rows[PAPER], costs[PAPER])
    found = [_effect(name, frame, scores, rows, base, costs[name]) for name in rows if name != PAPER]
    return base, _adjusted(found)


def _effect(
    method: str,
    frame: pd.DataFrame,
    scores: Scores,
    rows: dict[str, list[Answer]],
    base: Costs,
    cost: NoteCost,
) -> Effect:
    import pandas as pd

    pair = pd.concat([frame[frame["method"] == name] for name in (method, PAPER)]).assign(**{ALL: ALL})
    values = scores.values(F1, Protocol.TRAP)
    by_category = differences(pair, values)
    over_all = differences(pair, values, group=ALL)
    found = pair[pair[RECALL].notna()]
    recall = differences(found, found[RECALL], group=ALL)
    return Effect(
        method=method,
        f1={difference.group: difference for difference in [*by_category, *over_all]},
        recall=recall[0] if recall else None,
        recalls_changed=_changed(rows[method], rows[PAPER], lambda row: row["recall"] and row["recall"]["text_hash"]),
        answers_changed=_changed(rows[method], rows[PAPER], lambda row: row["prediction"]),
        costs=_costs(rows[method], cost).minus(base),
    )


def _changed(rows: list[Answer], base: list[Answer], what: Callable[[Answer], str | None]) -> float:
    before = {(row["question_id"], row["repeat"]): what(row) for row in base}
    return sum(what(row) != before[row["question_id"], row["repeat"]] for row in rows) / len(rows)


def _costs(rows: list[Answer], cost: NoteCost) -> Costs:
    prompts = [row["prompt_tokens"] for row in rows if row["prompt_tokens"] is not None]
    return Costs(
        prompt_tokens=sum(prompts) / len(prompts) if prompts else float("nan"),
        calls_a_question=sum(len(row["calls"]) for row in rows) / len(rows),
        calls_a_turn=cost.spreads["calls"].mean,
        tokens_a_turn=cost.spreads["tokens"].mean,
    )


def _adjusted(found: list[Effect]) -> list[Effect]:
    flat = [difference for effect in found for difference in effect.f1.values()]
    adjusted = iter(holm(flat))
    return [replace(effect, f1={group: next(adjusted) for group in effect.f1}) for effect in found]
