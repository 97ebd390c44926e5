"""One pass as a unit of work: session parts and questions in turn, so that no memory is asked about its future.

The memory grows between questions, so that there is no one memory to read back: a pass that was interrupted takes the
sessions in again, from the records and without a call, and asks only what is not answered yet.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from amem.contract import Session
from amem.lm.ledger import Call, collecting
from amem.lm.types import ModelFailure
from amem.prompting.pack import PromptPack
from eval.datasets.types import Conversation, QAItem
from eval.dialsim.extras import extras
from eval.dialsim.formats import AnswerFormat, ReplyStyle, task_of
from eval.dialsim.plan import Ask, Plan
from eval.runner.answers import AnswerFile, call_json
from eval.runner.memory_files import load_memory, save_memory
from eval.runner.progress import Progress
from eval.runner.reader import Reader, Task
from eval.runner.unit import STOPPING, RunStopped, Unit, ask, asked_of, fail


class DialSimReader(Reader):
    """The shared reader with DialSim's ways of asking."""

    def __init__(
        self,
        prompts: PromptPack,
        plan: Plan,
        answer_format: AnswerFormat,
        style: ReplyStyle,
        *,
        seed: int,
        temperatures: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(prompts, seed=seed, temperatures=temperatures)
        self._plan = plan
        self._format = answer_format
        self._style = style

    def task(self, item: QAItem | Ask) -> Task:
        return task_of(cast(Ask, item), self._plan, self._format, self._style)

    def extras(self, item: QAItem | Ask) -> Mapping[str, Any]:
        return {"dialsim": extras(cast(Ask, item), self._plan, self._format, self._style)}


@dataclass(frozen=True, slots=True, kw_only=True)
class PassUnit(Unit):
    """A unit whose questions stand between its sessions; `conversation` is `conversation_of(plan)`."""

    plan: Plan


def conversation_of(plan: Plan) -> Conversation:
    """The plan's session parts and questions as the runner counts and orders them."""
    items = cast(tuple[QAItem, ...], tuple(plan.asks()))
    return Conversation(plan.show, (plan.agent, ""), tuple(plan.sessions()), items, plan.session_count)


def run_pass(unit: PassUnit, answers: AnswerFile, progress: Progress) -> None:
    """Do the pass; every question ends as a line of `answers`. Raises RunStopped."""
    if _is_done(unit, answers):
        progress.step(unit.steps())
        return
    method = unit.build(unit.tools)
    state = _State(unit)
    for step in unit.plan.steps:
        if isinstance(step, Ask):
            item = cast(QAItem, step)
            asked = asked_of(unit, state.memory_before(step))
            if answers.reusable(asked.key(item), asked.memory):
                progress.step()
            else:
                ask(unit, method, asked, item, answers, progress)
            continue
        try:
            with collecting() as calls:
                method.ingest(step)
        except ModelFailure as failure:
            if failure.kind in STOPPING:
                raise RunStopped(failure) from failure
            fail(unit, state.unasked(), failure, answers, progress)
            return
        state.took_in(step, calls)
        progress.step(len(step.turns))
    save_memory(unit.memory_path, method.snapshot(), state.facts())


class _State:
    """What a pass has done so far: calls made, and which memory each question was put to."""

    def __init__(self, unit: PassUnit) -> None:
        self._unit = unit
        self._digest = hashlib.sha256(unit.plan.sha256.encode())
        self._calls: list[Call] = []
        self._memories: dict[str, str] = {}

    def took_in(self, session: Session, calls: Iterable[Call]) -> None:
        # A memory follows from what it took in and from the replies to its requests; hashing the memory itself before
        # every question would cost more than building it.
        new = list(calls)
        self._calls += new
        self._digest.update(f"{session.id}/{session.part}\0{sorted(call.key for call in new)}\0".encode())

    def memory_before(self, question: Ask) -> str:
        self._memories[question.question.id] = memory = self._digest.hexdigest()[:16]
        return memory

    def unasked(self) -> list[QAItem]:
        return [item for item in self._unit.conversation.items if item.question.id not in self._memories]

    def facts(self) -> dict[str, Any]:
        turns = sum(1 for _ in self._unit.conversation.turns())
        return {"calls": [call_json(call) for call in self._calls], "turns": turns, "memories": self._memories}


def _is_done(unit: PassUnit, answers: AnswerFile) -> bool:
    stored = load_memory(unit.memory_path)
    if stored is None:
        return False
    memories = stored[1]["memories"]
    return all(
        answers.reusable(asked_of(unit, memories[item.question.id]).key(item), memories[item.question.id])
        for item in unit.conversation.items
    )
