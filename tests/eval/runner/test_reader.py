"""How a question is put, at which temperature, and what the reply stands for."""

from __future__ import annotations

import json
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path

import pytest

from amem import tokens
from amem.contract import MemoryMethod, Question, Recall, Session, Turn
from amem.lm.types import FailureKind, ModelFailure, Request
from baselines.locomo import FullContext
from baselines.memgpt import MemGPT
from eval.composition import compose
from eval.datasets.categories import Category
from eval.datasets.types import QAItem
from eval.prepared import prepare, units
from eval.runner.reader import Reader, Task
from tests.baselines.memgpt_cases import say
from tests.support import tools_for

ABSTAIN = "Not mentioned in the conversation"
TRAP = "the 8:15"
SESSION = Session("session_1", 1, datetime(2024, 3, 1), "1 March, 2024", (Turn("D1:1", "Ada", "The boat came."),))
TEMPERATURES = {"adversarial": 0.5}


def item(category: Category, number: int = 1) -> QAItem:
    trap = TRAP if category is Category.ADVERSARIAL else None
    return QAItem(Question(f"q{number}", "Which train came?", str(category)), category, "boat", trap, ())


class Script:
    """Answers as the reader or the agent is to; keeps the requests."""

    def __init__(self, answer: str = "a boat") -> None:
        self.requests: list[Request] = []
        self._answer = answer

    def __call__(self, request: Request) -> str:
        self.requests.append(request)
        return say(self._answer) if request.purpose == "memgpt_answer" else json.dumps({"answer": self._answer})


def method_of(kind: type[MemoryMethod], script: Script) -> MemoryMethod:
    method = kind(kind.Settings(), tools_for(script))
    method.ingest(SESSION)
    return method


def read(kind: type[MemoryMethod], script: Script, asked: QAItem, seed: int = 0) -> str:
    method = method_of(kind, script)
    return Reader(method.tools.prompts, seed=seed, temperatures=TEMPERATURES).read(method, asked).prediction


def task(asked: QAItem, seed: int = 0) -> Task:
    return Reader(tools_for(Script()).prompts, seed=seed).task(asked)


@pytest.mark.parametrize(
    ("category", "call"),
    [
        (Category.MULTI_HOP, "answer_short"),
        (Category.TEMPORAL, "answer_temporal"),
        (Category.OPEN_DOMAIN, "answer_short"),
        (Category.SINGLE_HOP, "answer_short"),
        (Category.ADVERSARIAL, "answer_adversarial"),
    ],
)
def test_each_category_has_its_wording(category: Category, call: str) -> None:
    assert task(item(category)).call == call


@pytest.mark.parametrize("kind", [FullContext, MemGPT])
@pytest.mark.parametrize(("category", "temperature"), [(Category.ADVERSARIAL, 0.5), (Category.SINGLE_HOP, 0.0)])
def test_a_categorys_temperature_holds_for_every_method(
    kind: type[MemoryMethod], category: Category, temperature: float
) -> None:
    script = Script()
    read(kind, script, item(category))
    assert [request.sampling.temperature for request in script.requests] == [temperature]


@pytest.mark.parametrize("dataset", ["sample", "dialsim_sample"])
def test_a_backbones_temperatures_reach_the_reader(dataset: str, tmp_path: Path) -> None:
    temperatures = "{adversarial: 0.25, cur: 0.25}"
    config = compose([
        f"dataset={dataset}", "backbone=[scripted]", "method=[amem]", f"results_dir={tmp_path}",
        f"+backbones.scripted.answer_temperature={temperatures}",
    ])  # fmt: skip
    with ExitStack() as stack:
        unit = next(units(prepare(config, stack)))
    asked = next(one for one in unit.conversation.items if one.question.category in ("adversarial", "cur"))
    request = unit.reader.request(unit.reader.task(asked), asked.question, Recall("", (), 0))
    assert request.sampling.temperature == 0.25


@pytest.mark.parametrize("kind", [FullContext, MemGPT])
def test_the_length_of_the_answering_prompt_is_that_of_all_its_messages(kind: type[MemoryMethod]) -> None:
    script = Script()
    method = method_of(kind, script)
    reading = Reader(method.tools.prompts, seed=0).read(method, item(Category.SINGLE_HOP))
    messages = script.requests[-1].messages
    assert len(messages) > 1
    assert reading.prompt_tokens == sum(tokens.count(message.content) for message in messages)


@pytest.mark.parametrize("kind", [FullContext, MemGPT])
def test_both_options_are_shown_whoever_answers(kind: type[MemoryMethod]) -> None:
    script = Script()
    read(kind, script, item(Category.ADVERSARIAL))
    prompt = script.requests[0].messages[-1].content
    assert (prompt.count(ABSTAIN), prompt.count(TRAP)) == (1, 1)


@pytest.mark.parametrize("category", [category for category in Category if category is not Category.ADVERSARIAL])
def test_only_adversarial_questions_offer_options(category: Category) -> None:
    assert task(item(category)).options == ()


def test_the_order_of_options_follows_from_seed_and_question_alone() -> None:
    questions = [item(Category.ADVERSARIAL, number) for number in range(40)]
    forwards = [task(question).options for question in questions]
    assert [task(question).options for question in reversed(questions)] == forwards[::-1]
    assert [task(question, seed=1).options for question in questions] != forwards
    assert 10 <= sum(options == (ABSTAIN, TRAP) for options in forwards) <= 30


@pytest.mark.parametrize("reply", ["{}", "({})", "{})", "Option {}", " ({}). "])
@pytest.mark.parametrize("kind", [FullContext, MemGPT])
def test_a_letter_stands_for_the_words_of_its_option(kind: type[MemoryMethod], reply: str) -> None:
    asked = item(Category.ADVERSARIAL)
    for letter, words in zip("ab", task(asked).options, strict=True):
        assert read(kind, Script(reply.format(letter)), asked) == words


@pytest.mark.parametrize(("category", "reply"), [(Category.ADVERSARIAL, "a boat"), (Category.SINGLE_HOP, "A")])
def test_any_other_reply_is_scored_as_it_is(category: Category, reply: str) -> None:
    assert read(FullContext, Script(reply), item(category)) == reply


def test_an_empty_answer_is_a_failure_and_no_answer() -> None:
    with pytest.raises(ModelFailure, match="empty") as failure:
        read(FullContext, Script("  "), item(Category.SINGLE_HOP))
    assert failure.value.kind is FailureKind.EMPTY
