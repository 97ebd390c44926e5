"""What a metric is, and the adaptor that makes one of a plain function of one pair."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

PairFunction = Callable[[str, str, str], float]


class Metric(Protocol):
    """Scores many answers at once. The order of the input, and what shares a batch, never change a score."""

    @property
    def name(self) -> str:
        """The column under which the scores are stored."""

    def scores(self, predictions: Sequence[str], references: Sequence[str], categories: Sequence[str]) -> list[float]:
        """One score per pair, in order, most of them within 0..1 (a cosine may be negative).

        The three sequences have one length; `categories` are `eval.datasets.categories.Category` values, which most
        metrics ignore. Raises `ConfigurationError` where data or a model that the metric needs is not installed.
        """


@dataclass(frozen=True, slots=True)
class PairMetric:
    """A metric computed pair by pair; equal pairs are computed once."""

    name: str
    function: PairFunction
    """(prediction, reference, category) -> score."""

    def scores(self, predictions: Sequence[str], references: Sequence[str], categories: Sequence[str]) -> list[float]:
        triples = list(zip(predictions, references, categories, strict=True))
        known = {triple: float(self.function(*triple)) for triple in dict.fromkeys(triples)}
        return [known[triple] for triple in triples]


def zero_if_empty(function: Callable[[str, str], float]) -> PairFunction:
    """A-Mem's rule for its own metrics: 0 where either text is empty, else both are stripped first.

    Source: WujiangXu/AgenticMemory 7f716dc, utils.py, `calculate_metrics`.
    """

    def guarded(prediction: str, reference: str, _category: str) -> float:
        if not prediction or not reference:
            return 0.0
        return function(prediction.strip(), reference.strip())

    return guarded
