"""Whatever the method, the reader is told when things were said: by the data's date, never by the clock's."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime

import pytest

from amem.contract import Question, Session, Turn
from amem.lm.providers.from_schema import reply_to
from amem.lm.types import ModelFailure, Request
from eval.composition import CONFIGS, compose, method_settings, resolve_class
from eval.datasets.categories import Category
from eval.datasets.types import QAItem
from eval.runner.reader import Reader
from tests.support import DEFAULT_PACK, tools_for

DATE = "1:56 pm on 8 May, 1987"
TURNS = (
    Turn("D1:1", "Ines", "The blue kiln came yesterday.", caption="a brick oven"),
    Turn("D1:2", "Bruno", "Is the kiln heavy?"),
)
SESSION = Session("session_1", 1, datetime(1987, 5, 8, 13, 56), DATE, TURNS)
ITEM = QAItem(Question("q1", "When did the kiln come?", "temporal"), Category.TEMPORAL, "7 May 1987", None, ("D1:1",))
METHODS = ["locomo", "readagent", "memorybank", "memgpt", "memgpt_full", "amem", "amem/released", "amem/head", "rag",
           "rag_sessions"]  # fmt: skip


def prompts(choice: str) -> dict[str, str]:
    """The prompts sent while the question was answered, by purpose."""
    sent: list[Request] = []

    def listening(request: Request) -> str:
        sent.append(request)
        return reply_to(request)

    (config,) = compose([f"method=[{choice}]", "backbone=[scripted]"]).methods.values()
    method = resolve_class(config._target_)(
        method_settings(choice, config._target_, config.settings), tools_for(listening)
    )
    method.ingest(SESSION)
    sent.clear()
    # Made-up calls of MemGPT need not come to an answer; what it was asked is all that counts here.
    with suppress(ModelFailure):
        Reader(method.tools.prompts, seed=0).read(method, ITEM)
    return {request.purpose: "\n".join(message.content for message in request.messages) for request in sent}


def answering(choice: str) -> str:
    (prompt,) = [text for purpose, text in prompts(choice).items() if purpose in ("answer_temporal", "memgpt_answer")]
    return prompt


@pytest.mark.parametrize("choice", METHODS)
def test_the_sessions_date_stands_in_the_answering_prompt_and_no_other(choice: str) -> None:
    prompt = answering(choice)
    assert DATE in prompt
    assert str(datetime.now(UTC).year) not in prompt


@pytest.mark.parametrize("choice", [name for name in METHODS if name != "readagent"])
def test_speakers_words_and_pictures_stand_in_the_answering_prompt(choice: str) -> None:
    prompt = answering(choice)
    for expected in ("Ines", "Bruno", "The blue kiln came yesterday.", "a brick oven", "Is the kiln heavy?"):
        assert expected in prompt


@pytest.mark.parametrize("choice", METHODS)
def test_every_method_answers_by_the_same_wording(choice: str) -> None:
    wording = (DEFAULT_PACK / "parts" / "instruction_temporal.j2").read_text("utf-8").strip()
    assert wording in answering(choice)


def test_every_shipped_method_is_here() -> None:
    shipped = {path.stem for path in (CONFIGS / "method").glob("*.yaml")}
    variants = {name for name in shipped if name.startswith("rag_")}
    assert shipped - variants <= set(METHODS)
