"""Evidence recall: verbatim and derived apart, at k and overall, and what became of it."""

from __future__ import annotations

import math

import pytest

from eval.scoring.evidence import columns, evidence_figures
from eval.scoring.retrieval import OVERALL, evidence_recall, retrieved_against_answered
from eval.scoring.scores import score_answers
from tests.eval.scoring.made_answers import REFERENCE, answer, failed


def recall(*turns: str) -> dict:
    """Sources by turn id; a trailing ~ marks derived text."""
    sources = [{"turn": turn.rstrip("~"), "derived": turn.endswith("~")} for turn in turns]
    return {"text_hash": "0", "tokens": 9, "sources": sources, "trace": {}}


def test_verbatim_and_derived_are_apart_and_any_joins_them() -> None:
    figures = evidence_figures(["a", "b", "c", "d"], recall("a", "b~", "a~", "x"))
    assert figures["evidence_verbatim_recall"] == 0.25
    assert figures["evidence_derived_recall"] == 0.5
    assert figures["evidence_any_recall"] == 0.5
    assert figures["evidence_any_precision"] == pytest.approx(2 / 3)


def test_a_cut_counts_each_turn_once_in_order_of_relevance() -> None:
    figures = evidence_figures(["e", "f"], recall("a", "a~", "b", "c", "d", "e", "f"))
    assert figures["evidence_any_recall_at_5"] == 0.5
    assert figures["evidence_any_recall_at_10"] == 1.0


@pytest.mark.parametrize(("evidence", "recalled"), [([], recall("a")), (["a"], None)])
def test_without_evidence_or_recall_nothing_is_defined(evidence: list[str], recalled: dict | None) -> None:
    assert all(math.isnan(evidence_figures(evidence, recalled)[name]) for name in columns())


def test_recalling_nothing_is_zero_recall_and_no_precision() -> None:
    figures = evidence_figures(["a"], recall())
    assert figures["evidence_any_recall"] == 0
    assert math.isnan(figures["evidence_any_precision"])


def test_recall_is_averaged_over_questions_that_have_evidence() -> None:
    rows = [
        answer(question_id="1", evidence=["a"], recall=recall("a")),
        answer(question_id="2", evidence=["a", "b"], recall=recall("a")),
        answer(question_id="3", evidence=[], recall=recall("a")),
        failed(question_id="4", evidence=["a"]),
    ]
    found = evidence_recall(score_answers(rows, metrics=()), ["evidence_verbatim_recall"])
    (figure,) = [figure for figure in found if figure.group == OVERALL]
    assert (figure.mean, figure.n, figure.failed) == (75, 2, 1)


def test_found_but_wrong_and_missed_but_right_are_told_apart() -> None:
    cases = {
        "found, right": (REFERENCE, recall("a", "b~")),
        "found, wrong": ("nothing", recall("a", "b")),
        "missed, right": (REFERENCE, recall("a")),
        "missed, wrong": ("nothing", recall()),
        "missed, wrong too": ("nothing", recall("x")),
    }
    rows = [
        answer(question_id=name, evidence=["a", "b"], prediction=said, recall=recalled)
        for name, (said, recalled) in cases.items()
    ]
    found = retrieved_against_answered(score_answers(rows, metrics=("f1_amem_set",)))
    assert {figure.metric: figure.mean for figure in found} == {
        "retrieved_but_wrong": 20,
        "right_without_evidence": 20,
    }


def test_adversarial_questions_take_no_part_in_right_and_wrong() -> None:
    rows = [answer(category="adversarial", evidence=["a"], recall=recall("a"))]
    assert retrieved_against_answered(score_answers(rows, metrics=("f1_amem_set",))) == []
