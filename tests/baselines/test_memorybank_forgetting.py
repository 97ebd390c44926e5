"""The forgetting curve, as published and as released."""

from __future__ import annotations

import math
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amem.contract import Turn
from baselines._memorybank.forgetting import is_forgotten, retention
from baselines._memorybank.pieces import Exchange, Place

DAY = date(2024, 3, 5)


def exchange(number: int, strength: int = 1) -> Exchange:
    return Exchange(Place(1, number), (Turn(f"D1:{number}", "Ines", f"said {number}"),), strength, DAY)


def share_kept(mode: str, days: float, strength: int = 1, tau_days: float = 1.0) -> float:
    now = DAY + timedelta(days=days)
    gone = [is_forgotten(exchange(n, strength), now, mode, tau_days=tau_days, seed=0) for n in range(2000)]  # type: ignore[arg-type]
    return 1 - sum(gone) / len(gone)


def test_published_and_released_formula() -> None:
    assert retention("paper", 6, 3) == pytest.approx(math.exp(-2))
    assert retention("repo", 10, 2) == pytest.approx(math.exp(-4))
    assert retention("off", 1e9, 1) == 1


@given(st.floats(0.1, 300), st.integers(1, 9))
def test_recall_slows_the_published_forgetting_and_hastens_the_released_one(time: float, strength: int) -> None:
    assert retention("paper", time, strength + 1) > retention("paper", time, strength) or time > 700
    assert retention("repo", time, strength + 1) < retention("repo", time, strength) or time * strength > 3000


def test_at_strength_1_nothing_is_left_after_200_days() -> None:
    assert retention("paper", 200, 1) == pytest.approx(1.4e-87, rel=0.02)
    assert share_kept("paper", 200) == 0
    assert share_kept("repo", 200) == 0


def test_a_longer_unit_of_time_keeps_some() -> None:
    assert share_kept("paper", 30, tau_days=30) == pytest.approx(math.exp(-1), abs=0.04)


@pytest.mark.parametrize(("mode", "expected"), [("paper", math.exp(-1 / 2)), ("repo", math.exp(-2 / 5))])
def test_the_share_kept_is_the_retention(mode: str, expected: float) -> None:
    assert share_kept(mode, 1, strength=2) == pytest.approx(expected, abs=0.04)


def test_nothing_is_forgotten_on_its_own_day() -> None:
    assert share_kept("paper", 0) == 1


def test_a_day_before_the_memory_counts_as_its_own_day() -> None:
    assert share_kept("paper", -3) == 1


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 100))
def test_what_is_forgotten_stays_so(number: int, days: int, later: int) -> None:
    def gone(after: int) -> bool:
        now = DAY + timedelta(days=after)
        return is_forgotten(exchange(number), now, "paper", tau_days=10, seed=1)

    assert not gone(days) or gone(days + later)


def test_another_seed_draws_otherwise() -> None:
    def gone(seed: int) -> list[bool]:
        now = DAY + timedelta(days=1)
        return [is_forgotten(exchange(n), now, "paper", tau_days=1, seed=seed) for n in range(64)]

    assert gone(0) == gone(0) != gone(1)
