"""What it costs to take one note (or turn) into a memory: calls, tokens, seconds and money."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eval.memories.stored import StoredMemory

QUANTITIES = ("calls", "tokens", "seconds", "usd")


@dataclass(frozen=True, slots=True)
class Spread:
    """Over notes; the percentiles are None where a method does not say for which note a call was made."""

    mean: float
    median: float | None
    p95: float | None


@dataclass(frozen=True, slots=True)
class NoteCost:
    """Tokens are prompt and completion together, as the provider counts; seconds are what its replies took, one after
    the other, without embedding and search."""

    notes: int
    spreads: Mapping[str, Spread]
    """By each of `QUANTITIES`."""
    by_purpose: Mapping[str, float]
    """Mean calls a note."""


def note_cost(memories: Iterable[StoredMemory]) -> NoteCost:
    """Over the memories of one backbone and method; every call counts, whenever it was made and for nothing or not."""
    stored = list(memories)
    turns = sum(memory.facts["turns"] for memory in stored)
    calls = [call for memory in stored for call in memory.facts["calls"]]
    purposes = Counter(call["purpose"] for call in calls)
    labelled = bool(calls) and all(call.get("label") for call in calls)
    return NoteCost(
        notes=turns,
        spreads={
            quantity: _spread(quantity, stored, turns) if labelled else _mean_alone(quantity, calls, turns)
            for quantity in QUANTITIES
        },
        by_purpose={purpose: count / turns for purpose, count in sorted(purposes.items())},
    )


def _spread(quantity: str, memories: Sequence[StoredMemory], turns: int) -> Spread:
    sums: Counter[tuple[int, str]] = Counter()
    for place, memory in enumerate(memories):
        for call in memory.facts["calls"]:
            sums[place, call["label"]] += _amount(quantity, call)  # type: ignore[assignment]
    values = np.zeros(max(turns, len(sums)))
    values[: len(sums)] = list(sums.values())
    return Spread(float(values.mean()), float(np.median(values)), float(np.percentile(values, 95)))


def _mean_alone(quantity: str, calls: Sequence[Mapping[str, Any]], turns: int) -> Spread:
    return Spread(sum(_amount(quantity, call) for call in calls) / turns, None, None)


def _amount(quantity: str, call: Mapping[str, Any]) -> float:
    if quantity == "calls":
        return 1
    if quantity == "tokens":
        return call["prompt_tokens"] + call["completion_tokens"]
    return call[quantity]
