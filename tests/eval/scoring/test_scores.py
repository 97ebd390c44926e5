"""Per-question scores, the two protocols, failures, overall means, constant answers."""

from __future__ import annotations

import math

import pytest

from amem.errors import ResultsError
from eval.datasets.categories import Category
from eval.scoring.adversarial import constant_answers, false_refusals
from eval.scoring.failures import check_failures
from eval.scoring.figures import Overall, by_category, overall
from eval.scoring.scores import Protocol, Scores, score_answers
from tests.eval.scoring.made_answers import ABSTENTION, REFERENCE, answer, answers, failed

METRICS = ("f1_amem_set", "f1_locomo")


def scored(*rows: dict) -> Scores:
    numbered = [{**row, "question_id": f"conv-1/{place}"} for place, row in enumerate(rows)]
    return score_answers(numbered, metrics=METRICS)


def adversarial(prediction: str) -> dict:
    return answer(category=Category.ADVERSARIAL, prediction=prediction)


def mean(scores: Scores, protocol: Protocol, metric: str = "f1_amem_set") -> float:
    (figure,) = by_category(scores, metric, protocol)
    return figure.mean


@pytest.mark.parametrize(("prediction", "trap", "abstain"), [(REFERENCE, 100, 0), (ABSTENTION, 0, 100)])
def test_the_protocols_reward_opposite_replies(prediction: str, trap: float, abstain: float) -> None:
    scores = scored(adversarial(prediction))
    assert (mean(scores, Protocol.TRAP), mean(scores, Protocol.ABSTAIN)) == (trap, abstain)


@pytest.mark.parametrize("protocol", Protocol)
def test_locomo_f1_of_an_adversarial_question_is_abstention_under_either_protocol(protocol: Protocol) -> None:
    assert mean(scored(adversarial(ABSTENTION)), protocol, "f1_locomo") == 100


@pytest.mark.parametrize("protocol", Protocol)
def test_other_categories_do_not_depend_on_the_protocol(protocol: Protocol) -> None:
    assert mean(scored(answer(), answer(prediction="none of it")), protocol) == 50


def test_a_failure_is_counted_apart_and_is_no_zero() -> None:
    (figure,) = by_category(scored(answer(), failed()), "f1_amem_set", Protocol.TRAP)
    assert (figure.mean, figure.n, figure.failed) == (100, 1, 1)


def test_a_failure_has_no_score_in_the_frame_either() -> None:
    frame = scored(answer(), failed()).frame
    assert frame[[*METRICS, "abstained"]].isna().all(axis=1).tolist() == [False, True]


def test_where_all_failed_there_is_no_mean() -> None:
    (figure,) = by_category(scored(failed()), "f1_amem_set", Protocol.TRAP)
    assert math.isnan(figure.mean)
    assert (figure.n, figure.failed, figure.interval) == (0, 1, None)


def test_a_table_with_too_many_failures_is_refused_with_their_kinds() -> None:
    scores = scored(answer(), failed())
    with pytest.raises(ResultsError, match=r"tiny/amem: 1 of 2 \(1 schema\)"):
        check_failures(scores, max_failure_share=0.4)


def test_few_failures_pass_and_many_where_they_are_allowed() -> None:
    scores = scored(answer(), failed())
    check_failures(scores, max_failure_share=0.5)
    check_failures(scores, max_failure_share=0.0, allow_failures=True)


def test_overall_means_differ_by_weight_and_by_adversarial_questions() -> None:
    rows = [answer(), answer(), answer(prediction="nothing"), answer(category="temporal"), adversarial("nothing")]
    found = {figure.group: figure for figure in overall(scored(*rows), "f1_amem_set", Protocol.TRAP)}
    assert {kind: round(found[kind].mean, 4) for kind in Overall} == {
        Overall.QUESTIONS: 60,
        Overall.QUESTIONS_ANSWERABLE: 75,
        Overall.CATEGORIES: round(100 * (2 / 3 + 1 + 0) / 3, 4),
        Overall.CATEGORIES_ANSWERABLE: round(100 * (2 / 3 + 1) / 2, 4),
    }
    assert [found[kind].n for kind in Overall] == [5, 4, 5, 4]


def test_constant_answers_show_what_each_protocol_is_worth() -> None:
    found = {c.strategy: (c.trap, c.abstain, c.n) for c in constant_answers([adversarial("x")], ("f1_amem_set",))}
    assert found == {
        "always abstain": (0, 100, 1),
        "always the trap": (100, 0, 1),
        "coin (expected)": (50, 50, 1),
    }


def test_constant_answers_count_a_question_once_for_all_methods() -> None:
    rows = [adversarial("x"), {**adversarial("x"), "method": "rag"}]
    assert {constant.n for constant in constant_answers(rows)} == {1}


def test_without_adversarial_questions_there_are_no_constant_answers() -> None:
    assert constant_answers([answer()]) == []


def test_false_refusals_are_of_the_answerable_questions_only() -> None:
    (figure,) = false_refusals(scored(answer(prediction=ABSTENTION), answer(), adversarial(ABSTENTION), failed()))
    assert (figure.mean, figure.n, figure.failed) == (50, 2, 1)


def test_repeats_give_a_spread_and_enter_the_mean() -> None:
    rows = answers({"amem": 0.5}, repeats=3)
    figure = by_category(score_answers(rows, metrics=METRICS), "f1_amem_set", Protocol.TRAP)[0]
    assert figure.n == 3 * 6 * 4
    assert figure.repeat_sd is not None
    assert figure.repeat_sd > 0


def test_order_of_the_answers_changes_no_figure() -> None:
    rows = answers({"amem": 0.5})
    forwards = by_category(score_answers(rows, metrics=METRICS), "f1_amem_set", Protocol.TRAP)
    backwards = by_category(score_answers(rows[::-1], metrics=METRICS), "f1_amem_set", Protocol.TRAP)
    assert forwards == backwards
