"""What a run's calls cost, by backbone, method and purpose: those of its memories and those of its questions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(slots=True)
class Spent:
    calls: int = 0
    failed: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    usd: float | None = 0.0
    """None where the price of any call is not known."""

    def book(self, call: Mapping[str, Any]) -> None:
        self.calls += 1
        self.failed += call["failure"] is not None
        self.prompt_tokens += call["prompt_tokens"] or 0
        self.completion_tokens += call["completion_tokens"] or 0
        self.seconds += call["seconds"] or 0.0
        self.usd = None if self.usd is None or call["usd"] is None else self.usd + call["usd"]


Purpose = tuple[str, str, str]
"""Backbone, method, purpose."""


def spent_by_purpose(calls: Iterable[tuple[str, str, Mapping[str, Any]]]) -> dict[Purpose, Spent]:
    """`calls`: backbone, method and the call as a run stores it; the result is in order of first appearance."""
    found: dict[Purpose, Spent] = {}
    for backbone, method, call in calls:
        found.setdefault((backbone, method, call["purpose"]), Spent()).book(call)
    return found
