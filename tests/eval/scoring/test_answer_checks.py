"""What can't be scored honestly is refused, with the place and the reason."""

from __future__ import annotations

from typing import Any

import pytest

from amem.errors import ResultsError
from eval.datasets.categories import Category
from eval.scoring.answers import check_answers
from tests.eval.scoring.made_answers import answer, failed, manifest

OTHER = {"question_id": "conv-1/2"}


def test_good_answers_pass_unchanged() -> None:
    rows = [answer(), failed(**OTHER), answer(category=Category.ADVERSARIAL, question_id="conv-1/3")]
    assert check_answers(rows, manifest()) == rows


def test_no_answers() -> None:
    with pytest.raises(ResultsError, match="no answers"):
        check_answers([])


@pytest.mark.parametrize("repeated", [{}, {"conversation": "conv-2"}])
def test_a_question_answered_twice(repeated: dict[str, Any]) -> None:
    with pytest.raises(ResultsError, match=r"tiny/amem/conv-1/1/0: the question is answered twice"):
        check_answers([answer(), answer(**repeated)])


@pytest.mark.parametrize("apart", [{"method": "rag"}, {"backbone": "large"}, {"repeat": 1}])
def test_the_same_question_in_another_cell_is_fine(apart: dict[str, Any]) -> None:
    assert len(check_answers([answer(), answer(**apart)])) == 2


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"prediction": 7}, "prediction must be a string or null, found int 7"),
        ({"prediction": ["a"]}, "prediction must be a string or null, found list"),
        ({"prediction": None}, "has neither a prediction nor a failure"),
        ({"failure": {"kind": "schema"}}, "has both a prediction and a failure"),
        ({"category": "single-hop"}, "unknown category 'single-hop'"),
        ({"category": 4}, "unknown category 4"),
        ({"reference": None}, "reference must be a string"),
        ({"category": "adversarial", "trap": None}, "trap must be a string"),
        ({"prompt_tokens": float("nan")}, "prompt_tokens is nan"),
        ({"calls": [{"seconds": float("inf")}]}, r"calls\.0\.seconds is inf"),
        ({"evidence": "D1:1"}, "evidence must be a list of turn ids"),
        ({"recall": {"tokens": 1}}, "recall must be null or an object"),
        ({"conversation": None}, "conversation must be a string"),
    ],
)
def test_a_bad_field_is_named(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(ResultsError, match=f"tiny/amem/conv-1/1/0: {reason}"):
        check_answers([answer() | changes])


def test_a_missing_field_is_named() -> None:
    row = answer()
    del row["evidence"]
    with pytest.raises(ResultsError, match="field evidence is missing"):
        check_answers([row])


def test_answers_on_different_data() -> None:
    with pytest.raises(ResultsError, match="different data are mixed: locomo, sample"):
        check_answers([answer(), answer(**OTHER, dataset="sample")])


def test_answers_from_different_memories() -> None:
    with pytest.raises(ResultsError, match="another memory"):
        check_answers([answer(), answer(**OTHER, memory="m1")])


@pytest.mark.parametrize("foreign", [{"backbone": "large"}, {"method": "memgpt"}, {"dataset": "sample"}, {"seed": 9}])
def test_an_answer_that_the_manifest_does_not_know(foreign: dict[str, Any]) -> None:
    with pytest.raises(ResultsError, match="is not of this run"):
        check_answers([answer(**foreign)], manifest())
