"""What a run that is over did ask for, beside what the estimate said of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from amem.errors import ResultsError
from eval import benchmarks
from eval.composition import typed
from eval.config import RunConfig
from eval.estimate.estimate import Estimate, rows
from eval.memories.stored import stored_memories
from eval.prompts import load_pack
from eval.scoring.absent import check_memories
from eval.scoring.answers import Answer
from eval.scoring.run_folder import read_run
from eval.tables.meta import RunMeta


@dataclass(frozen=True, slots=True)
class Asked:
    calls: int
    prompt_tokens: int
    completion_tokens: int


def configuration_of(folder: Path) -> RunConfig:
    """The configuration that the run's manifest holds."""
    config = OmegaConf.structured(RunConfig)
    try:
        return typed(OmegaConf.merge(config, OmegaConf.create(read_run(folder).manifest["config"])))  # type: ignore[arg-type]
    except OmegaConfBaseException as error:
        raise ResultsError(f"{folder}: its configuration is of another version of this program ({error})") from error


def check_data(folder: Path, config: RunConfig) -> None:
    """Raises ResultsError where the configuration now finds other data than the run had, such as the sample."""
    then, now = read_run(folder).manifest["data"], benchmarks.load(config).facts
    if then["sha256"] != now.sha256:
        raise ResultsError(
            f"{folder} is a run on {then['name']} ({then['description']}), and what is found now is {now.name} "
            f"({now.description}): name the folder of its data in AMEM_DATA_DIR"
        )


def other_prompts(folder: Path, config: RunConfig) -> list[str]:
    """Backbones whose prompt pack is no longer what the run asked with: its prompt tokens can't be estimated now."""
    used = read_run(folder).manifest["prompts"]
    packs = {name: load_pack(config.prompts.folder or backbone.prompts) for name, backbone in config.backbones.items()}
    return [name for name, pack in packs.items() if used[name]["hash"] != pack.hash]


def asked_in(folder: Path) -> dict[tuple[str, str], Asked]:
    """Sums over all calls of a run, by backbone and method; raises ResultsError where its memories are not there."""
    run = read_run(folder)
    shared = RunMeta.from_manifest(run.manifest).shared_memories()
    check_memories(folder, run.answers, shared, "what the run did ask for")
    calls: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for place, call in _calls(folder, run.answers):
        calls.setdefault(place, []).append(call)
    return {
        place: Asked(len(of), sum(c["prompt_tokens"] for c in of), sum(c["completion_tokens"] for c in of))
        for place, of in calls.items()
    }


def errors(estimate: Estimate, asked: dict[tuple[str, str], Asked]) -> Iterator[tuple[str, str, float, float, float]]:
    """(backbone, method, error of calls, of prompt tokens, of completion tokens), each as a share of the true value."""
    for row in rows(estimate):
        true = asked.get((row.backbone, row.method))
        if true is None or not true.calls:
            raise ResultsError(f"the run holds no calls of {row.backbone} / {row.method}")
        yield (
            row.backbone,
            row.method,
            row.calls / true.calls - 1,
            row.prompt_tokens / max(1, true.prompt_tokens) - 1,
            row.completion_tokens / max(1, true.completion_tokens) - 1,
        )


def _calls(folder: Path, answers: Sequence[Answer]) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
    for answer in answers:
        for call in answer["calls"]:
            yield (answer["backbone"], answer["method"]), call
    for memory in stored_memories(folder):
        for call in memory.facts["calls"]:
            yield (memory.backbone, memory.method), call
