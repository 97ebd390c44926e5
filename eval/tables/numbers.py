"""Figures as they are printed."""

from __future__ import annotations

import math

from eval.statistics.bootstrap import Interval

UNKNOWN = "–"


def points(value: float | None) -> str:
    """A score ×100 with two decimals, as the paper prints it."""
    return UNKNOWN if value is None or math.isnan(value) else f"{value:.2f}"


def share(value: float | None) -> str:
    """A share ×100 with one decimal."""
    return UNKNOWN if value is None or math.isnan(value) else f"{value:.1f}"


def span(interval: Interval | None) -> str:
    """An interval in whole points: more digits would promise what a bootstrap can't keep."""
    return UNKNOWN if interval is None else f"{_whole(interval.low)}–{_whole(interval.high)}"


def signed(value: float | None) -> str:
    return UNKNOWN if value is None or math.isnan(value) else f"{_sign(round(value, 2))}{abs(value):.2f}"


def rank(value: float) -> str:
    return UNKNOWN if math.isnan(value) else f"{value:.1f}"


def whole(value: float | None) -> str:
    """A whole number with thousands separated."""
    return UNKNOWN if value is None or math.isnan(value) else f"{value:,.0f}"


def signed_whole(value: float | None) -> str:
    return UNKNOWN if value is None or math.isnan(value) else f"{_sign(round(value))}{abs(round(value)):,}"


def p_value(p: float | None) -> str:
    return UNKNOWN if p is None else "<0.001" if p < 0.001 else f"{p:.3f}"


def _whole(value: float) -> str:
    return f"{value + 0.0:.0f}"


def _sign(rounded: float) -> str:
    return "−" if rounded < 0 else "+" if rounded > 0 else ""
