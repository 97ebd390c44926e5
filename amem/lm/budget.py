"""Prices of tokens, and the sum that a run may not exceed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from amem.lm.types import FailureKind, ModelFailure, Usage


@dataclass(frozen=True, slots=True)
class Prices:
    """USD per million tokens. Cached input costs `cached_input_per_million` where the provider has such a price."""

    input_per_million: float = 0.0
    output_per_million: float = 0.0
    cached_input_per_million: float | None = None
    date: str = ""
    source: str = ""

    def usd(self, usage: Usage) -> float:
        cached = self.input_per_million if self.cached_input_per_million is None else self.cached_input_per_million
        fresh = usage.prompt_tokens - usage.cached_tokens
        micro = fresh * self.input_per_million + usage.cached_tokens * cached
        return (micro + usage.completion_tokens * self.output_per_million) / 1e6


class Budget:
    """A sum in USD shared by all models of a run; None is no limit. Thread-safe.

    Before a call is sent its dearest possible price is set aside, so that calls in flight side by side can't exceed
    the sum together. `spent` is what earlier starts of the same run have cost.
    """

    def __init__(self, usd: float | None = None, *, spent: float = 0.0) -> None:
        self.usd = usd
        self._spent = spent
        self._set_aside = 0.0
        self._changed = threading.Condition()

    @property
    def spent(self) -> float:
        with self._changed:
            return self._spent

    @contextmanager
    def reserve(self, dearest: float) -> Iterator[list[float]]:
        """Set `dearest` aside around a call; the caller appends what the call really cost.

        Raises ModelFailure(BUDGET) where the sum does not suffice even if no other call in flight cost anything.
        """
        with self._changed:
            self._changed.wait_for(lambda: self.try_set_aside(dearest))
        costs: list[float] = []
        try:
            yield costs
        finally:
            self.settle(dearest, sum(costs))

    def try_set_aside(self, dearest: float) -> bool:
        """Set `dearest` aside until `settle`; False where it has to wait for calls in flight. Raises as `reserve`."""
        with self._changed:
            if self._never_fits(dearest):
                raise self._exhausted(dearest)
            if not self._fits(dearest):
                return False
            self._set_aside += dearest
            return True

    def settle(self, dearest: float, cost: float) -> None:
        """What was set aside for a call is free again, and what it cost is spent."""
        with self._changed:
            self._set_aside -= dearest
            self._spent += cost
            self._changed.notify_all()

    def _fits(self, dearest: float) -> bool:
        return self.usd is None or self._spent + self._set_aside + dearest <= self.usd

    def _never_fits(self, dearest: float) -> bool:
        return self.usd is not None and self._spent + dearest > self.usd

    def _exhausted(self, dearest: float) -> ModelFailure:
        return ModelFailure(
            FailureKind.BUDGET,
            f"the budget of {self.usd:g} USD is used up: {self._spent:.4f} spent, the next call may cost "
            f"{dearest:.4f}; everything so far is saved, raise budget.usd and start again to go on",
            details={"usd": self.usd, "spent": self._spent, "next": dearest},
        )
