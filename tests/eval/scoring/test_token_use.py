"""What a question's calls were for."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from eval.scoring.token_use import TokenUse, Use, token_use, uses
from tests.eval.scoring.made_answers import answer, failed
from tests.eval.scoring.made_calls import call

CALLS = Path(__file__).resolve().parents[3] / "configs" / "prompts" / "default" / "calls"


def used(*purposes: str) -> list[Use]:
    return [use for use, _ in uses([call(purpose) for purpose in purposes])]


@pytest.mark.parametrize("purpose", ["answer_short", "answer_temporal", "answer_adversarial", "memgpt_answer"])
def test_answering_calls(purpose: str) -> None:
    assert used(purpose) == [Use.ANSWER]


@pytest.mark.parametrize("purpose", ["query_keywords", "readagent_lookup", "readagent_lookup_next", "a_plug_in"])
def test_calls_that_look_up(purpose: str) -> None:
    assert used(purpose, "answer_short") == [Use.LOOK_UP, Use.ANSWER]


def test_only_the_last_of_memgpt_s_chained_calls_answers() -> None:
    chain = used("memgpt_answer", "memgpt_summary", "memgpt_answer", "memgpt_answer", "memgpt_summary")
    assert chain == [Use.LOOK_UP, Use.MEMORY, Use.LOOK_UP, Use.ANSWER, Use.MEMORY]


def test_every_call_of_the_prompt_pack_that_does_not_answer_or_look_up_is_a_memory_call() -> None:
    names = {path.name for path in CALLS.iterdir() if not path.name.startswith(("answer_", "judge_"))}
    others = {"memgpt_answer", "query_keywords", "readagent_lookup", "readagent_lookup_next"}
    assert names > others
    assert {name: used(name) for name in names - others} == {name: [Use.MEMORY] for name in names - others}


def test_a_question_that_was_not_answered_counts_with_its_calls() -> None:
    rows = [answer(calls=[call("answer_short", 90, 10)]), failed(question_id="q2", calls=[call("answer_short", 80, 0)])]
    found = token_use(rows)["tiny", "amem"]
    assert isinstance(found, TokenUse)
    assert found.questions == 2
    assert found.by_use[Use.ANSWER].total == 180


def test_a_question_that_was_never_asked_does_not_count() -> None:
    asked = token_use([answer(calls=[call("answer_short", 90, 10)]), failed(question_id="q2")])["tiny", "amem"]
    assert (asked.questions, asked.mean(Use.ANSWER), asked.mean(Use.ANSWER, "calls")) == (1, 100, 1)
    assert math.isnan(token_use([failed()])["tiny", "amem"].mean(Use.ANSWER))
