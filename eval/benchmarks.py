"""The two benchmarks behind one face: what was loaded, and the units of work in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from amem.contract import MemoryMethod, Tools
from eval import data
from eval.config import RunConfig
from eval.datasets.types import Conversation, Dataset
from eval.dialsim.dataset import DialSimConfig, DialSimData, load_dialsim
from eval.dialsim.plan import Plan
from eval.dialsim.unit import DialSimReader, PassUnit, conversation_of, run_pass
from eval.runner.answers import AnswerFile
from eval.runner.manifest import DataFacts
from eval.runner.progress import Progress
from eval.runner.reader import Reader
from eval.runner.unit import Unit, run_unit


@dataclass(frozen=True, slots=True)
class Cell:
    """A row of the table to be: a backbone and a method, under one seed."""

    backbone: str
    method: str
    repeat: int
    seed: int
    build: Callable[[Tools], MemoryMethod]
    tools: Tools
    temperatures: dict[str, float]
    folder: Path

    def unit(self, conversation: Conversation, dataset: str, reader: Reader) -> Unit:
        return Unit(
            backbone=self.backbone,
            method=self.method,
            conversation=conversation,
            dataset=dataset,
            repeat=self.repeat,
            seed=self.seed,
            build=self.build,
            tools=self.tools,
            reader=reader,
            folder=self.folder,
        )


class Benchmark(Protocol):
    """Conversations with questions."""

    @property
    def facts(self) -> DataFacts: ...

    @property
    def line(self) -> str:
        """For people: which data this is."""

    def units(self, cell: Cell) -> Iterator[Unit]:
        """The units of one row of the table, in the order in which answers are written."""

    def do(self, unit: Unit, answers: AnswerFile, questions: Executor, progress: Progress) -> None:
        """Do one of them; every question ends as a line of `answers`."""


class LoCoMo:
    """All sessions, then all questions."""

    def __init__(self, config: RunConfig) -> None:
        self._dataset, self.line = data.load(config.dataset)
        self.facts: Dataset = self._dataset

    def units(self, cell: Cell) -> Iterator[Unit]:
        reader = Reader(cell.tools.prompts, seed=cell.seed, temperatures=cell.temperatures)
        for conversation in self._dataset.conversations:
            yield cell.unit(conversation, self._dataset.name, reader)

    def do(self, unit: Unit, answers: AnswerFile, questions: Executor, progress: Progress) -> None:
        run_unit(unit, answers, questions, progress)


class DialSim:
    """A pass over each show: questions in the middle of sessions, drawn by the seed."""

    def __init__(self, config: RunConfig) -> None:
        settings = config.dialsim or DialSimConfig()
        self._passes = [load_dialsim(settings, config.seed + repeat) for repeat in range(config.repeats)]
        self.facts: DialSimData = self._passes[0]
        self.line = self.facts.line

    def units(self, cell: Cell) -> Iterator[Unit]:
        drawn = self._passes[cell.repeat]
        for plan in drawn.plans:
            yield _pass_unit(cell, drawn, plan)

    def do(self, unit: Unit, answers: AnswerFile, questions: Executor, progress: Progress) -> None:
        assert isinstance(unit, PassUnit)
        run_pass(unit, answers, progress)


def _pass_unit(cell: Cell, drawn: DialSimData, plan: Plan) -> PassUnit:
    reader = DialSimReader(
        cell.tools.prompts, plan, drawn.answer_format, drawn.style, seed=cell.seed, temperatures=cell.temperatures
    )
    return PassUnit(
        backbone=cell.backbone,
        method=cell.method,
        conversation=conversation_of(plan),
        dataset=drawn.name,
        repeat=cell.repeat,
        seed=cell.seed,
        build=cell.build,
        tools=cell.tools,
        reader=reader,
        folder=cell.folder,
        plan=plan,
    )


def load(config: RunConfig) -> Benchmark:
    """The benchmark that the configuration names; raises DataError or ConfigurationError."""
    return LoCoMo(config) if config.dialsim is None else DialSim(config)
