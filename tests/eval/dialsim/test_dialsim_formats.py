"""What the reader is shown in each format, and what its reply stands for."""

from __future__ import annotations

import json

import pytest

from amem.lm.types import Request
from amem.prompting.pack import PromptPack
from eval.dialsim.formats import AnswerFormat, ReplyStyle, gold, task_of, words_of
from tests.eval.dialsim import answers, shows
from tests.support import DEFAULT_PACK

OPTIONS = ["A net", "A sail", "A quilt", "A sheet", shows.IDK]


def _prompt(answer_format: AnswerFormat, style: ReplyStyle = ReplyStyle.SHORT) -> Request:
    one, plan = answers.ask(), answers.plan()
    task = task_of(one, plan, answer_format, style)
    return PromptPack(DEFAULT_PACK).request(
        task.call, recall_text="RECALL", question=one.question.text, **task.variables
    )


def _text(request: Request) -> str:
    return "\n".join(message.content for message in request.messages)


@pytest.mark.parametrize("style", ReplyStyle)
@pytest.mark.parametrize("answer_format", AnswerFormat)
def test_recall_asker_question_agent_and_date_are_always_shown(answer_format: AnswerFormat, style: ReplyStyle) -> None:
    one = answers.ask()
    text = _text(_prompt(answer_format, style))

    for part in ("RECALL", one.question.text, one.date_text, "Orin"):
        assert part in text


@pytest.mark.parametrize("style", ReplyStyle)
def test_an_open_ended_question_shows_no_option(style: ReplyStyle) -> None:
    text = _text(_prompt(AnswerFormat.OPEN_ENDED, style))

    assert not [option for option in answers.ask().options if option in text]


def test_structured_shows_five_lettered_lines() -> None:
    lines = _text(_prompt(AnswerFormat.MULTI_CHOICE_STRUCTURED)).splitlines()

    for letter, option in zip("ABCDE", answers.ask().options, strict=True):
        assert f"({letter}) {option}" in lines


def test_unstructured_names_four_options_and_not_knowing() -> None:
    text = _text(_prompt(AnswerFormat.MULTI_CHOICE_UNSTRUCTURED))

    assert all(option in text for option in answers.ask().options[:4])
    assert shows.IDK not in text
    assert "do you not know?" in text


def test_only_dialsims_own_style_speaks_of_not_knowing() -> None:
    assert "I don't know" not in _text(_prompt(AnswerFormat.OPEN_ENDED, ReplyStyle.SHORT))
    assert "I don't know" in _text(_prompt(AnswerFormat.OPEN_ENDED, ReplyStyle.ROLE))


@pytest.mark.parametrize("answer_format", AnswerFormat)
def test_the_instruction_for_methods_that_answer_themselves_is_that_of_the_reader(answer_format: AnswerFormat) -> None:
    task = task_of(answers.ask(), answers.plan(), answer_format)
    instruction = PromptPack(DEFAULT_PACK).render(task.instruction_part, **task.variables)

    assert _text(_prompt(answer_format)).endswith(instruction)


def test_golds() -> None:
    known, unknown = answers.ask(), answers.ask(answerable=False)

    assert gold(unknown, AnswerFormat.MULTI_CHOICE_STRUCTURED) == "(E)"
    assert gold(known, AnswerFormat.MULTI_CHOICE_STRUCTURED) == f"({'ABCDE'[known.correct]})"
    for in_words in (AnswerFormat.OPEN_ENDED, AnswerFormat.MULTI_CHOICE_UNSTRUCTURED):
        assert gold(unknown, in_words) == "I don't know."
        assert gold(known, in_words) == known.answer


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ("(B)", "A sail"),
        ("b", "A sail"),
        ("C.", "A quilt"),
        ("I choose (e), since nothing is said of it.", shows.IDK),
        ("(A) or (B)", "(A) or (B)"),
        ("A net", "A net"),
        ("AB", "AB"),
        ("", ""),
    ],
)
def test_a_single_letter_stands_for_its_option(reply: str, words: str) -> None:
    assert words_of(reply, OPTIONS) == words


def test_the_line_of_an_answer_is_plain_json() -> None:
    line = answers.row(answers.ask(), "x")

    assert json.loads(json.dumps(line)) == line
