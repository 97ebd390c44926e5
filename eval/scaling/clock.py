"""Timings: the raw seconds are kept, figures are taken from them afterwards."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Timing:
    """Figures of repeated measurements, in seconds."""

    n: int
    median: float
    mean: float
    sd: float
    """n-1 in the denominator; 0 for a single measurement."""
    p99: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Timing:
        values = np.asarray(seconds, dtype=float)
        sd = float(values.std(ddof=1)) if len(values) > 1 else 0.0
        return cls(len(values), float(np.median(values)), float(values.mean()), sd, float(np.quantile(values, 0.99)))


def timed(call: Callable[[], T]) -> tuple[float, T]:
    """Seconds of wall time, and what the call returned."""
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def repeated(call: Callable[[Any], Any], arguments: Sequence[Any], *, warm_up: int = 3) -> list[float]:
    """Seconds of `call` for each argument, one after the other, after some calls that don't count."""
    for argument in arguments[:warm_up]:
        call(argument)
    return [timed(partial(call, argument))[0] for argument in arguments]
