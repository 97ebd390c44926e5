"""One unit of work: a backbone, a method and a conversation. Take in the sessions, then answer the questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
from contextvars import copy_context
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amem.contract import MemoryMethod, Recall, Tools
from amem.lm.ledger import collecting
from amem.lm.types import FailureKind, ModelFailure
from eval.datasets.types import Conversation, QAItem
from eval.runner.answers import AnswerFile, Asked, answer_row, call_json
from eval.runner.memory_files import load_memory, memory_hash, memory_name, save_memory
from eval.runner.progress import Progress
from eval.runner.reader import Reader

STOPPING = frozenset({FailureKind.BUDGET, FailureKind.NOT_RECORDED, FailureKind.STOPPED})
"""Failures that end the run: going on would only collect the same failure for every question left."""


class RunStopped(Exception):
    """The run ends here by decision (budget, replay without a record); what was answered is kept."""

    def __init__(self, failure: ModelFailure) -> None:
        super().__init__(str(failure))
        self.failure = failure


@dataclass(frozen=True, slots=True)
class Unit:
    """What is to be done, and with what."""

    backbone: str
    method: str
    conversation: Conversation
    dataset: str
    repeat: int
    seed: int
    build: Callable[[Tools], MemoryMethod]
    tools: Tools
    reader: Reader
    folder: Path
    """`memory/<backbone>/<method>` of the run's folder."""

    @property
    def memory_path(self) -> Path:
        return self.folder / memory_name(self.conversation.id, self.repeat)

    def steps(self) -> int:
        return sum(len(session.turns) for session in self.conversation.sessions) + len(self.conversation.items)

    def __str__(self) -> str:
        return f"{self.backbone} / {self.method} / {self.conversation.id}"


def run_unit(unit: Unit, answers: AnswerFile, questions: Executor, progress: Progress) -> None:
    """Do the unit; every question ends as a line of `answers`. Raises RunStopped."""
    try:
        method, memory = _memory(unit, progress)
    except ModelFailure as failure:
        if failure.kind in STOPPING:
            raise RunStopped(failure) from failure
        fail(unit, unit.conversation.items, failure, answers, progress)
        return
    asked = asked_of(unit, memory)
    futures: list[Future[None]] = []
    for item in unit.conversation.items:
        if answers.reusable(asked.key(item), memory):
            progress.step()
            continue
        futures.append(questions.submit(copy_context().run, ask, unit, method, asked, item, answers, progress))
    _wait(futures)


def _memory(unit: Unit, progress: Progress) -> tuple[MemoryMethod, str]:
    """The method with its memory built, and the memory's hash; a memory that was built before is read back."""
    method = unit.build(unit.tools)
    stored = load_memory(unit.memory_path)
    if stored is not None:
        method.restore(stored[0])
        progress.step(sum(len(session.turns) for session in unit.conversation.sessions))
        return method, memory_hash(stored[0])
    with collecting() as calls:
        for session in unit.conversation.sessions:
            method.ingest(session)
            progress.step(len(session.turns))
    facts = {"calls": [call_json(call) for call in calls], "turns": sum(1 for _ in unit.conversation.turns())}
    return method, save_memory(unit.memory_path, method.snapshot(), facts)


def ask(unit: Unit, method: MemoryMethod, asked: Asked, item: QAItem, answers: AnswerFile, progress: Progress) -> None:
    """Ask one question of a memory and its reader; it ends as a line of `answers`. Raises RunStopped."""
    prediction: str | None = None
    failure: ModelFailure | None = None
    recall: Recall | None = None
    prompt_tokens: int | None = None
    with collecting() as calls:
        try:
            if not method.answers_itself:
                recall = method.recall(item.question)
            reading = unit.reader.read(method, item, recall)
            prediction, recall, prompt_tokens = reading.prediction, reading.recall, reading.prompt_tokens
        except ModelFailure as error:
            if error.kind in STOPPING:
                raise RunStopped(error) from error
            failure = error
    row = answer_row(
        asked,
        item,
        prediction=prediction,
        failure=failure,
        recall=recall,
        calls=calls,
        prompt_tokens=prompt_tokens,
        options=unit.reader.task(item).options,
    )
    answers.append({**row, **unit.reader.extras(item)}, recall.text if recall else None)
    progress.step()


def fail(unit: Unit, items: Iterable[QAItem], failure: ModelFailure, answers: AnswerFile, progress: Progress) -> None:
    """The memory could not be built: these questions of the unit fail for that reason, and for no other."""
    asked = asked_of(unit, memory="")
    for item in items:
        row = answer_row(
            asked, item, prediction=None, failure=failure, recall=None, calls=(), prompt_tokens=None, options=()
        )
        answers.append({**row, **unit.reader.extras(item)}, None)
        progress.step()


def asked_of(unit: Unit, memory: str) -> Asked:
    """Where the unit's questions are asked; `memory` is the hash of the memory that they are put to."""
    return Asked(unit.backbone, unit.method, unit.conversation.id, unit.dataset, unit.seed, unit.repeat, memory)


def _wait(futures: Iterable[Future[Any]]) -> None:
    """Wait for all; the first error stops what has not begun."""
    futures = list(futures)
    try:
        for future in futures:
            future.result()
    except BaseException:
        for future in futures:
            future.cancel()
        raise
