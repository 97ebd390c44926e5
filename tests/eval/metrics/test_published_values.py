"""Each metric gives the value of its public definition."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eval.datasets.categories import Category
from eval.metrics.registry import NAMES, metric

PAIRS = json.loads((Path(__file__).parent / "cases.json").read_text("utf-8"))["pairs"]


def scores_of(name: str, pairs: list[dict]) -> list[float]:
    return metric(name).scores(
        [pair["prediction"] for pair in pairs],
        [str(pair["reference"]) for pair in pairs],
        [Category.from_locomo_id(pair["category"]) for pair in pairs],
    )


@pytest.mark.parametrize("name", NAMES)
def test_every_pair_has_its_published_value(name: str) -> None:
    assert scores_of(name, PAIRS) == pytest.approx([pair[name] for pair in PAIRS], abs=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_one_by_one_is_the_same_as_together(name: str) -> None:
    single = [scores_of(name, [pair])[0] for pair in PAIRS]
    assert single == pytest.approx(scores_of(name, PAIRS), abs=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_order_of_the_input_does_not_matter(name: str) -> None:
    assert scores_of(name, PAIRS[::-1])[::-1] == scores_of(name, PAIRS)
