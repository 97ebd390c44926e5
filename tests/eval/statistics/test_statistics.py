"""Intervals, paired differences, Holm's adjustment."""

from __future__ import annotations

import numpy as np
import pytest

from eval.scoring.scores import Protocol, score_answers
from eval.statistics.bootstrap import interval
from eval.statistics.clusters import CONVERSATION, QUESTION, unit_of
from eval.statistics.paired import Difference, clustered_p, differences, holm
from tests.eval.scoring.made_answers import answers


def test_interval_holds_the_mean_and_does_not_depend_on_order() -> None:
    values = list(np.random.default_rng(0).random(60))
    clusters = [f"c{place % 6}" for place in range(60)]
    found = interval(values, clusters)
    assert found is not None
    assert found.low < np.mean(values) < found.high
    assert interval(values[::-1], clusters[::-1]) == found


def test_one_cluster_has_no_interval() -> None:
    assert interval([0.0, 1.0], ["c", "c"]) is None


def test_clusters_are_drawn_whole() -> None:
    apart = interval([0.0, 1.0] * 50, [str(place) for place in range(100)])
    together = interval([0.0, 1.0] * 50, ["a", "b"] * 50)
    assert apart is not None and together is not None
    assert together.high - together.low == 1.0
    assert apart.high - apart.low < 0.3


def test_strata_weigh_alike() -> None:
    values, strata = [1.0] * 30 + [0.0] * 10, ["large"] * 30 + ["small"] * 10
    found = interval(values, [f"c{place % 5}" for place in range(40)], strata)
    assert found == (0.5, 0.5)


def test_coverage_of_the_interval_is_near_95_percent() -> None:
    chance, hits = np.random.default_rng(7), 0
    for _ in range(200):
        effect = chance.normal(0, 0.1, 30)
        values = np.repeat(effect, 5) + chance.normal(0, 0.2, 150)
        found = interval(list(values), [str(place) for place in np.repeat(np.arange(30), 5)])
        assert found is not None
        hits += found.low <= 0 <= found.high
    assert 0.88 <= hits / 200 <= 0.99


def test_a_clear_difference_is_significant_and_none_is_not() -> None:
    clusters = [str(place) for place in range(10)] * 4
    chance = np.random.default_rng(3)
    clear = clustered_p(list(chance.normal(0.5, 0.1, 40)), clusters)
    none = clustered_p(list(chance.normal(0.0, 0.1, 40)), clusters)
    assert clear is not None and none is not None
    assert clear < 0.001 < 0.05 < none


@pytest.mark.parametrize(
    ("values", "clusters", "p"),
    [([0.0, 0.0], ["a", "b"], 1.0), ([1.0, 1.0, 1.0], ["a", "b", "c"], 0.25), ([1.0, 0.0], ["a", "a"], None)],
)
def test_p_where_no_standard_error_is_to_be_had(values: list[float], clusters: list[str], p: float | None) -> None:
    assert clustered_p(values, clusters) == p


def test_holm_adjusts_for_the_family_and_passes_over_what_was_not_tested() -> None:
    made = [Difference("a", "b", str(p), 0.1, None, p, None, 9) for p in (0.01, None, 0.04)]
    assert [difference.p_holm for difference in holm(made)] == [0.02, None, 0.04]


def test_differences_pair_the_same_questions() -> None:
    rows = answers({"amem": 1.0, "locomo": 0.0})
    del rows[0]
    scores = score_answers(rows, metrics=("f1_amem_set",))
    found = differences(scores.answered, scores.values("f1_amem_set", Protocol.TRAP))
    assert [difference.n for difference in found] == [23, 24, 24, 24, 24]
    assert all(difference.mean > 0 for difference in found)


def test_the_unit_is_the_question_where_there_is_one_conversation() -> None:
    many = score_answers(answers({"amem": 1.0}), metrics=()).frame
    assert unit_of(many) == CONVERSATION
    assert unit_of(many[many["conversation"] == "conv-1"]) == QUESTION
