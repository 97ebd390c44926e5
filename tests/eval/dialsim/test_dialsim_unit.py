"""A pass as a unit of work: every method plays it, it goes on after a stop, and nothing is asked twice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from amem.contract import MemoryMethod, Tools
from amem.lm.model import LanguageModel
from amem.lm.providers.from_schema import FromSchemaProvider
from amem.lm.records import RecordStore
from amem.lm.types import FailureKind, ModelFailure, Reply, Request
from amem.prompting.pack import PromptPack
from eval.composition import compose, method_settings, resolve_class
from eval.dialsim.formats import AnswerFormat, ReplyStyle
from eval.dialsim.locate import load_sample
from eval.dialsim.plan import Plan
from eval.dialsim.replay import replay
from eval.dialsim.unit import DialSimReader, PassUnit, conversation_of, run_pass
from eval.runner.answers import AnswerFile
from eval.runner.files import read_jsonl
from eval.runner.progress import Progress
from eval.runner.sources import sources_of
from eval.runner.unit import RunStopped
from tests.support import DEFAULT_PACK, NO_WAITING, SAMPLING, WordEmbedder

HISTORIES = ("rag_utts", "rag_utts_bm25", "rag_sessions", "rag_sessions_bm25")
METHODS = ("locomo", "amem", "readagent", "memorybank", "memgpt", "rag", "rag_bm25", *HISTORIES)
PLAN = replay(load_sample(), seed=0, episodes=1)


class CountingProvider(FromSchemaProvider):
    """Replies that fit the schema; counts, and fails where `fails` says so."""

    def __init__(self, fails: Callable[[Request, int], ModelFailure | None] = lambda request, count: None) -> None:
        super().__init__()
        self.count = 0
        self._fails = fails

    def complete(self, request: Request) -> Reply:
        self.count += 1
        if failure := self._fails(request, self.count):
            raise failure
        return super().complete(request)


def _builder(name: str) -> Callable[[Tools], MemoryMethod]:
    method = compose([f"method=[{name}]", "retrieve.k=3", "link.k=2"]).methods[name]
    settings = method_settings(name, method._target_, method.settings)
    return lambda tools: resolve_class(method._target_)(settings, tools)


def _play(folder: Path, name: str, provider: CountingProvider, plan: Plan = PLAN) -> dict[str, dict[str, Any]]:
    """Plays with the records of `folder`; returns the rows by question."""
    folder.mkdir(exist_ok=True)
    pack = PromptPack(DEFAULT_PACK)
    with RecordStore(folder / "records.sqlite") as store:
        model = LanguageModel(provider, sampling=SAMPLING, retry=NO_WAITING, store=store)
        unit = PassUnit(
            backbone="tiny",
            method=name,
            conversation=conversation_of(plan),
            dataset="dialsim",
            repeat=0,
            seed=0,
            build=_builder(name),
            tools=Tools(model, WordEmbedder(), pack, 0),
            reader=DialSimReader(pack, plan, AnswerFormat.OPEN_ENDED, ReplyStyle.SHORT, seed=0),
            folder=folder / "memory",
            plan=plan,
        )
        answers = AnswerFile(folder)
        with Progress(unit.steps()) as progress:
            run_pass(unit, answers, progress)
        model.close()
    return {row["question_id"]: row for row in read_jsonl(answers.path)}


@pytest.mark.parametrize("name", METHODS)
def test_every_method_plays_the_sample(tmp_path: Path, name: str) -> None:
    rows = _play(tmp_path, name, CountingProvider())

    assert list(rows) == [ask.question.id for ask in PLAN.asks()]
    for ask in PLAN.asks():
        row = rows[ask.question.id]
        assert row["failure"] is None
        assert row["dialsim"]["gold"] == ask.reference
        assert row["recall"]["sources"] or name == "memgpt"


@pytest.mark.parametrize("name", METHODS)
def test_nothing_after_the_question_is_recalled(tmp_path: Path, name: str) -> None:
    rows = _play(tmp_path, name, CountingProvider())
    seen: set[str] = set()
    for step in PLAN.steps:
        if hasattr(step, "turns"):
            seen.update(turn.id for turn in step.turns)
        else:
            assert {source.turn_id for source in sources_of(rows[step.question.id]["recall"])} <= seen


@pytest.mark.parametrize("name", METHODS)
def test_a_second_start_makes_no_call(tmp_path: Path, name: str) -> None:
    first = _play(tmp_path, name, CountingProvider())
    provider = CountingProvider()

    assert _play(tmp_path, name, provider) == first
    assert provider.count == 0


def test_a_pass_that_was_stopped_goes_on_without_asking_twice(tmp_path: Path) -> None:
    whole = CountingProvider()
    undisturbed = _play(tmp_path / "whole", "amem", whole)
    stopping = CountingProvider(
        lambda request, count: ModelFailure(FailureKind.BUDGET, "spent") if count > whole.count // 2 else None
    )
    with pytest.raises(RunStopped):
        _play(tmp_path / "stopped", "amem", stopping)
    rest = CountingProvider()
    resumed = _play(tmp_path / "stopped", "amem", rest)

    assert rest.count == whole.count - whole.count // 2
    assert [_without_seconds(row) for row in resumed.values()] == [_without_seconds(r) for r in undisturbed.values()]


def _without_seconds(row: dict[str, Any]) -> dict[str, Any]:
    return row | {"calls": [call | {"seconds": 0} for call in row["calls"]]}


def test_a_memory_that_can_not_be_built_fails_the_questions_that_are_left(tmp_path: Path) -> None:
    def fails(request: Request, count: int) -> ModelFailure | None:
        late = "Juniper has a cracked valve" in request.messages[-1].content and request.purpose == "note_construct"
        return ModelFailure(FailureKind.BAD_REQUEST, "no") if late else None

    rows = list(_play(tmp_path, "amem", CountingProvider(fails)).values())
    failed = [row["failure"] is not None for row in rows]

    assert failed == [False, True, True]
    assert {row["failure"]["kind"] for row in rows if row["failure"]} == {"bad_request"}
    assert all("dialsim" in row for row in rows)


def test_a_failed_answer_is_asked_again(tmp_path: Path) -> None:
    def fails(request: Request, count: int) -> ModelFailure | None:
        return ModelFailure(FailureKind.SERVER, "down") if request.purpose.startswith("answer") else None

    assert all(row["failure"] for row in _play(tmp_path, "locomo", CountingProvider(fails)).values())
    provider = CountingProvider()
    assert not any(row["failure"] for row in _play(tmp_path, "locomo", provider).values())
    assert provider.count == 3
