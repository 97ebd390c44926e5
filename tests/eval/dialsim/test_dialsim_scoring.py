"""DialSim's own accuracy, its time limits as a report, and evidence by days."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from amem.lm.types import Request
from amem.prompting.pack import PromptPack
from eval.dialsim.formats import AnswerFormat
from eval.dialsim.judge import judge_cases
from eval.dialsim.kinds import Kind
from eval.dialsim.plan import Ask
from eval.dialsim.replay import replay
from eval.dialsim.scoring import TimeLimit, Verdict, day_recall, time_limits, verdict
from tests.eval.dialsim import answers, shows
from tests.support import DEFAULT_PACK, scripted_model

LETTER = "ABCDE"[answers.ask().correct]
OTHER = "A" if LETTER != "A" else "B"


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (f"({LETTER})", Verdict.CORRECT),
        (f"It is ({LETTER}), because she said so.", Verdict.CORRECT),
        (f"({LETTER}) and again ({LETTER.lower()})", Verdict.CORRECT),
        (f"({OTHER})", Verdict.WRONG),
        (f"({LETTER}) or ({OTHER})", Verdict.AMBIGUOUS),
        (f"({LETTER}) or ({OTHER.lower()})", Verdict.AMBIGUOUS),
        (f"({LETTER.lower()})", Verdict.WRONG),
        (LETTER, Verdict.WRONG),
        ("", Verdict.WRONG),
    ],
)
def test_letters_are_marked_as_dialsim_marks_them(reply: str, expected: Verdict) -> None:
    row = answers.row(answers.ask(), reply, answer_format=AnswerFormat.MULTI_CHOICE_STRUCTURED)

    assert verdict(row) is expected


@pytest.mark.parametrize("answer_format", [AnswerFormat.OPEN_ENDED, AnswerFormat.MULTI_CHOICE_UNSTRUCTURED])
def test_words_must_equal_the_reference_but_for_a_full_stop(answer_format: AnswerFormat) -> None:
    one = answers.ask()

    def marked(reply: str) -> Verdict:
        return verdict(answers.row(one, reply, answer_format=answer_format))

    assert marked(one.answer) is marked(f"{one.answer}.") is Verdict.CORRECT
    assert marked(one.answer.lower()) is marked(f"It is {one.answer}") is Verdict.WRONG
    unknown = answers.ask(answerable=False)
    assert verdict(answers.row(unknown, "I don't know.", answer_format=answer_format)) is Verdict.CORRECT
    assert verdict(answers.row(unknown, shows.IDK, answer_format=answer_format)) is Verdict.WRONG


def test_the_judge_is_asked_only_where_the_words_differ() -> None:
    one = answers.ask()
    asked: list[tuple[str, str, str]] = []

    def judge(question: str, reference: str, prediction: str) -> Verdict:
        asked.append((question, reference, prediction))
        return Verdict.CORRECT

    rows = [answers.row(one, one.answer), answers.row(one, "something like it")]

    assert [verdict(row, judge) for row in rows] == [Verdict.CORRECT] * 2
    assert asked == [(one.question.text, one.reference, "something like it")]


def _judged(says: Callable[[Request], str]) -> tuple[Verdict, list[Request]]:
    requests: list[Request] = []

    def script(request: Request) -> str:
        requests.append(request)
        return json.dumps({"verdict": says(request)})

    case = ("Juno: Where?", "The island", "An island")
    return judge_cases([case], scripted_model(script), PromptPack(DEFAULT_PACK))[case], requests


def test_the_model_judge_is_shown_question_reference_and_answer() -> None:
    said, [request] = _judged(lambda request: "wrong")

    assert said is Verdict.WRONG
    assert all(part in request.messages[-1].content for part in ("Juno: Where?", "The island", "An island"))
    assert (request.sampling.temperature, request.sampling.top_p) == (0.2, 0.1)


def test_a_judge_that_can_not_tell_is_asked_three_times() -> None:
    said, requests = _judged(lambda request: "unclear")
    assert (said, [request.repeat for request in requests]) == (Verdict.AMBIGUOUS, [0, 1, 2])

    said, requests = _judged(lambda request: "correct" if request.repeat else "unclear")
    assert (said, len(requests)) == (Verdict.CORRECT, 2)


def test_a_time_limit_counts_slow_answers_as_wrong() -> None:
    one = answers.ask()
    rows = [
        answers.row(one, one.answer, seconds=(0.5, 0.4)),
        answers.row(one, one.answer, seconds=(2.0, 1.0)),
        answers.row(one, "no", seconds=(0.1,)),
        answers.row(one, None, seconds=(60.0,)),
    ]

    assert time_limits(rows, (1.0, 3.0, 5.0)) == [
        TimeLimit(1.0, over=1, correct_in_time=1, answered=3),
        TimeLimit(3.0, over=1, correct_in_time=1, answered=3),
        TimeLimit(5.0, over=0, correct_in_time=2, answered=3),
    ]


def _two_days() -> Ask:
    plans = (replay(shows.example_show(), seed=seed) for seed in range(100))
    return next(ask for plan in plans for ask in plan.asks() if ask.kind is Kind.PAST_PAST)


@pytest.mark.parametrize(
    ("sources", "share"),
    [
        ((), 0.0),
        (("S01E01 The Leaky Roof/2:1",), 0.5),
        (("S01E01 The Leaky Roof/1:4", "S01E01 The Leaky Roof/2:1"), 0.5),
        (("S01E01 The Leaky Roof/2:1", "S01E01 The Leaky Roof/3:5"), 1.0),
        (("S01E02 The Night Post/1:1",), 0.0),
    ],
)
def test_a_day_is_found_where_any_of_its_turns_is_recalled(sources: tuple[str, ...], share: float) -> None:
    assert day_recall(answers.row(_two_days(), "x", sources=sources)) == share


def test_without_evidence_there_is_no_recall_of_it() -> None:
    assert day_recall(answers.row(answers.ask(answerable=False), "x", sources=("a:1",))) is None
    assert day_recall(answers.row(_two_days(), "x") | {"recall": None}) is None
