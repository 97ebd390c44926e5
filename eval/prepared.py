"""A run whose inputs are all there, and how it gets there: data, prompts, records, models, units."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from amem.errors import ConfigurationError
from amem.lm.budget import Budget
from amem.lm.build import build_model, check_backbone
from amem.lm.model import LanguageModel
from amem.lm.records import RecordStore
from amem.prompting.pack import PromptPack
from eval import benchmarks
from eval.benchmarks import Benchmark
from eval.config import RunConfig
from eval.prompts import load_pack
from eval.runner import manifest
from eval.runner.cells import cell_of, embedder_of
from eval.runner.unit import Unit


@dataclass(frozen=True, slots=True)
class Prepared:
    """A run whose inputs are all there: nothing can be missing any more but the model's replies."""

    config: RunConfig
    benchmark: Benchmark
    packs: dict[str, PromptPack]
    models: dict[tuple[str, int], LanguageModel]
    store: RecordStore
    facts: dict[str, Any]

    @property
    def folder(self) -> Path:
        return Path(self.config.results_dir) / f"{self.config.name}-{self.facts['key']}"


def prepare(config: RunConfig, stack: ExitStack) -> Prepared:
    """Load the data and build the models; raises what is wrong before the first call. `stack` closes them."""
    packs = {name: load_pack(config.prompts.folder or backbone.prompts) for name, backbone in config.backbones.items()}
    benchmark = benchmarks.load(config)
    print(benchmark.line, flush=True)
    store = stack.enter_context(_record_store(config))
    if config.records.alone:
        print(f"Replay from {config.records.replay_from or store.path}: no model is called", flush=True)
    else:
        _check_backbones(config)
    budget = Budget(config.budget.usd)
    backbones = {
        name: stack.enter_context(
            build_model(
                asdict(backbone),
                store=store,
                budget=budget,
                seed=config.seed,
                records_only=config.records.alone,
                prompts=packs[name],
            )
        )
        for name, backbone in config.backbones.items()
    }
    models = {
        (name, repeat): model.seeded(config.seed + repeat)
        for name, model in backbones.items()
        for repeat in range(config.repeats)
    }
    pack_facts = {name: {"name": pack.name, "hash": pack.hash} for name, pack in packs.items()}
    model_facts = {name: dict(models[name, 0].identity) for name in config.backbones}
    facts = manifest.facts(config, benchmark.facts, benchmark.line, pack_facts, model_facts)
    return Prepared(config, benchmark, packs, models, store, facts)


def _check_backbones(config: RunConfig) -> None:
    """Raises ConfigurationError that names every server, model and key that is missing."""
    missing = [line for backbone in config.backbones.values() for line in check_backbone(asdict(backbone))]
    if missing:
        lines = "".join(f"\n  {line}" for line in dict.fromkeys(missing))
        raise ConfigurationError(
            f"nothing was started:{lines}\nWhat is recorded already can be run without: records.replay_only=true"
        )


def units(prepared: Prepared) -> Iterator[Unit]:
    """All units of the run, in the order in which their answers are written."""
    embedder = embedder_of(prepared.config, prepared.store)
    for (backbone, repeat), model in prepared.models.items():
        for method in prepared.config.methods:
            cell = cell_of(
                prepared.config,
                backbone=backbone,
                method=method,
                repeat=repeat,
                model=model,
                embedder=embedder,
                pack=prepared.packs[backbone],
                folder=prepared.folder,
            )
            yield from prepared.benchmark.units(cell)


def _record_store(config: RunConfig) -> RecordStore:
    path = Path(config.records.path or Path(config.results_dir) / "records.sqlite")
    path.parent.mkdir(parents=True, exist_ok=True)
    store = RecordStore(path)
    if config.records.replay_from:
        store.import_(Path(config.records.replay_from))
    return store
