"""Exact match: the same text but for case and surrounding space.

Source: WujiangXu/AgenticMemory 7f716dc, utils.py. LoCoMo's order-free exact match is a different measure that its
own scorer never uses.
"""

from __future__ import annotations

from eval.metrics.protocol import PairMetric, zero_if_empty


def exact_match(prediction: str, reference: str) -> float:
    """1.0 where the lower-cased texts are equal, else 0.0."""
    return float(prediction.lower() == reference.lower())


METRICS = (PairMetric("exact_match", zero_if_empty(exact_match)),)
