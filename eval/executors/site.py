"""A worker's side: the same models, prompts and methods as the driver has, over the hub in place of a disk."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from amem.errors import ConfigurationError
from amem.lm.build import build_model
from amem.lm.model import LanguageModel
from eval.benchmarks import Benchmark
from eval.config import RunConfig
from eval.executors.remote import (
    Held,
    RemoteAnswers,
    RemoteBudget,
    RemoteLedger,
    RemoteProgress,
    RemoteStore,
    ToHub,
)
from eval.prompts import load_pack
from eval.runner import manifest
from eval.runner.cells import cell_of, embedder_of
from eval.runner.foreign_code import foreign_code
from eval.runner.unit import Unit


@dataclass(frozen=True, slots=True)
class GroupSpec:
    """A group of units by what it takes to make them again: their memory is `<backbone>/<memory>/<name>`."""

    backbone: str
    repeat: int
    methods: tuple[str, ...]
    conversation: str
    memory: str
    """Path below the run's `memory/`."""

    @classmethod
    def of(cls, group: Sequence[Unit], folder: Path) -> GroupSpec:
        """`folder`: the run's."""
        first = group[0]
        return cls(
            backbone=first.backbone,
            repeat=first.repeat,
            methods=tuple(unit.method for unit in group),
            conversation=first.conversation.id,
            memory=first.memory_path.relative_to(folder / "memory").as_posix(),
        )


class Site:
    """One process of one run. `facts` are the driver's (`manifest.facts`): what differs here is refused."""

    def __init__(self, config: RunConfig, facts: dict[str, Any], hub: ToHub) -> None:
        self._config = config
        self._facts = facts
        self._hub = hub
        self._held = Held()
        self._store = RemoteStore(hub, self._held)
        self._embedder = embedder_of(config, self._store)
        self._open = ExitStack()
        self._models: dict[str, LanguageModel] = {}
        self._ledgers: list[RemoteLedger] = []
        if manifest.code_hash() != facts["code_hash"] or foreign_code(config) != facts["foreign_code"]:
            raise ConfigurationError("this worker has other code than the driver: give all nodes the same checkout")

    def do(self, benchmark: Benchmark, spec: GroupSpec) -> None:
        """Do a group; raises RunStopped as the units do. On any error no call is sent any more."""
        self._held.group = spec.memory
        of = {"backbone": spec.backbone, "conversation": spec.conversation, "repeat": spec.repeat}
        self._held.number, rows = self._hub("begin", spec.memory, of)
        answers = RemoteAnswers(self._hub, rows)
        progress = RemoteProgress(self._hub, self._held)
        askers = min(self._config.executor.workers, self._model(spec.backbone).concurrency)
        with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(askers) as questions:
            try:
                for unit in self._units(benchmark, spec, Path(scratch)):
                    self._fetch(unit, spec)
                    benchmark.do(unit, answers, questions, progress)  # type: ignore[arg-type]
                    self._hand_over(unit, spec)
            except BaseException:
                self.stop()
                raise
            finally:
                progress.flush()
                for ledger in self._ledgers:
                    ledger.flush()

    def stop(self) -> None:
        """Let calls in flight end, send nothing more, and build the models anew should there be another group."""
        for model in self._models.values():
            model.stop()
        self._open.close()
        self._models.clear()

    def _units(self, benchmark: Benchmark, spec: GroupSpec, scratch: Path) -> Iterator[Unit]:
        model = self._model(spec.backbone)
        for method in spec.methods:
            cell = cell_of(
                self._config,
                backbone=spec.backbone,
                method=method,
                repeat=spec.repeat,
                model=model.seeded(self._config.seed + spec.repeat),
                embedder=self._embedder,
                pack=self._pack(spec.backbone),
                folder=scratch,
            )
            yield from (unit for unit in benchmark.units(cell) if unit.conversation.id == spec.conversation)

    def _pack(self, backbone: str) -> Any:
        pack = load_pack(self._config.prompts.folder or self._config.backbones[backbone].prompts)
        if pack.hash != self._facts["prompts"][backbone]["hash"]:
            raise ConfigurationError(f"this worker's prompt pack {pack.name} differs from the driver's: {pack.folder}")
        return pack

    def _model(self, backbone: str) -> LanguageModel:
        if backbone not in self._models:
            config = self._config
            model = self._open.enter_context(
                build_model(
                    asdict(config.backbones[backbone]),
                    store=self._store,  # type: ignore[arg-type]
                    budget=RemoteBudget(self._hub, self._held),  # type: ignore[arg-type]
                    seed=config.seed,
                    records_only=config.records.alone,
                    prompts=self._pack(backbone),
                )
            )
            if dict(model.identity) != self._facts["models"][backbone]:
                raise ConfigurationError(
                    f"backbone {backbone} is another model on this worker ({dict(model.identity)}) than on the driver "
                    f"({self._facts['models'][backbone]})"
                )
            model.ledger = RemoteLedger(self._hub, backbone)
            self._ledgers.append(model.ledger)
            self._models[backbone] = model
        return self._models[backbone]

    def _fetch(self, unit: Unit, spec: GroupSpec) -> None:
        for suffix, content in self._hub("memory", spec.memory).items():
            path = unit.memory_path.with_name(unit.memory_path.name + suffix)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def _hand_over(self, unit: Unit, spec: GroupSpec) -> None:
        path = unit.memory_path
        files = {suffix: path.with_name(path.name + suffix) for suffix in (".npz", ".json")}
        if all(file.exists() for file in files.values()):
            self._hub("keep_memory", spec.memory, {suffix: file.read_bytes() for suffix, file in files.items()})
