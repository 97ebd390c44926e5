"""What a method costs (section 4.4): of a memory operation, of an answer, and of a whole conversation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eval.memories.cost import NoteCost, note_cost
from eval.memories.stored import StoredMemory
from eval.scoring.answers import Answer

Place = tuple[str, str]
"""Backbone and method."""


@dataclass(frozen=True, slots=True)
class Spent:
    """Means, with medians and 95th percentiles where they are known."""

    calls: float
    tokens: float
    """Prompt and completion, as the provider counts."""
    seconds: float
    """What the provider took, calls one after the other."""
    usd: float
    tokens_median: float | None = None
    tokens_p95: float | None = None
    seconds_median: float | None = None
    seconds_p95: float | None = None


@dataclass(frozen=True, slots=True)
class MethodCost:
    operation: Spent
    """Of taking in one turn; all zeros for a method that calls no model for it."""
    answer: Spent
    """Of one question asked, whatever came of it."""
    turns: float
    """A conversation."""
    questions: float
    """Asked of a conversation."""

    def conversation(self, quantity: str, questions: float) -> float:
        """`tokens`, `seconds` or `usd` of taking in a conversation and asking so many questions."""
        return self.turns * getattr(self.operation, quantity) + questions * getattr(self.answer, quantity)


def method_costs(
    answers: Sequence[Answer], memories: Iterable[StoredMemory], shared: Mapping[str, str]
) -> dict[Place, MethodCost]:
    """In the order of the answers. `shared` names the method under which another method's memory is kept."""
    stored: dict[Place, list[StoredMemory]] = {}
    for memory in memories:
        stored.setdefault((memory.backbone, memory.method), []).append(memory)
    rows: dict[Place, list[Answer]] = {}
    for answer in answers:
        rows.setdefault((answer["backbone"], answer["method"]), []).append(answer)
    return {
        place: _cost(own, stored.get((place[0], shared.get(place[1], place[1])), [])) for place, own in rows.items()
    }


def _cost(answers: Sequence[Answer], memories: Sequence[StoredMemory]) -> MethodCost:
    asked = {(answer["conversation"], answer["repeat"]) for answer in answers}
    built = note_cost(memories) if memories else None
    return MethodCost(
        operation=_of_notes(built) if built else Spent(0, 0, 0, 0),
        answer=_of_answers(answers),
        turns=sum(memory.facts["turns"] for memory in memories) / max(1, len(memories)),
        questions=len(answers) / len(asked),
    )


def _of_notes(cost: NoteCost) -> Spent:
    spreads = cost.spreads
    return Spent(
        **{quantity: spreads[quantity].mean for quantity in ("calls", "tokens", "seconds", "usd")},
        tokens_median=spreads["tokens"].median,
        tokens_p95=spreads["tokens"].p95,
        seconds_median=spreads["seconds"].median,
        seconds_p95=spreads["seconds"].p95,
    )


def _of_answers(answers: Sequence[Answer]) -> Spent:
    tokens = [sum(c["prompt_tokens"] + c["completion_tokens"] for c in answer["calls"]) for answer in answers]
    seconds = [_sum(answer["calls"], "seconds") for answer in answers]
    return Spent(
        calls=float(np.mean([len(answer["calls"]) for answer in answers])),
        tokens=float(np.mean(tokens)),
        seconds=float(np.mean(seconds)),
        usd=float(np.mean([_sum(answer["calls"], "usd") for answer in answers])),
        tokens_median=float(np.median(tokens)),
        tokens_p95=float(np.percentile(tokens, 95)),
        seconds_median=float(np.median(seconds)),
        seconds_p95=float(np.percentile(seconds, 95)),
    )


def _sum(calls: Sequence[Mapping[str, Any]], quantity: str) -> float:
    return float(sum(call[quantity] for call in calls))
