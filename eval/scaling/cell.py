"""A cell in a process of its own, so that what it weighs is its own: `python -m eval.scaling.cell OUT < SPEC`."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from omegaconf import OmegaConf

from eval.config import RunConfig
from eval.runner.orphan import end_with
from eval.scaling.config import ScalingConfig, Vectors


@dataclass(frozen=True, slots=True)
class CellSpec:
    """What one cell measures: indexes over `vectors`, or `method`."""

    size: int
    vectors: Vectors | None = None
    method: str | None = None

    @property
    def name(self) -> str:
        return f"{self.size}-{self.method or self.vectors}"


def cells_of(sizes: Iterable[int], vectors: Sequence[str], methods: Collection[str]) -> Iterator[CellSpec]:
    """All cells of a run, in the order in which they are measured."""
    for size in sizes:
        yield from (CellSpec(size, vectors=Vectors(kind)) for kind in vectors)
        yield from (CellSpec(size, method=name) for name in methods)


def spec_of(cell: CellSpec, config: RunConfig, folder: Path, scale: float) -> dict[str, Any]:
    """What the process is told. `folder` holds `real.npz`; `scale` is that of `TextLike`, fitted to it."""
    spec = {"cell": asdict(cell), "config": asdict(config), "folder": str(folder), "scale": scale}
    return {**spec, "parent": os.getpid()}


def measured(spec: dict[str, Any]) -> dict[str, Any]:
    """Measure what `spec_of` tells."""
    import faiss

    from eval.scaling import machine
    from eval.scaling.vectors import TextLike

    merged = OmegaConf.merge(OmegaConf.structured(RunConfig), spec["config"])
    config: RunConfig = OmegaConf.to_object(merged)  # type: ignore[assignment]
    scaling = config.scaling or ScalingConfig()
    faiss.omp_set_num_threads(scaling.threads)
    with np.load(Path(spec["folder"]) / "real.npz", allow_pickle=False) as real:
        turns, questions = real["turns"], real["questions"]
    drawn = TextLike(turns, seed=config.seed, scale=spec["scale"])
    cell = spec["cell"]
    before = machine.facts()
    if cell["method"]:
        found = _method(config, scaling, cell, drawn)
    else:
        from eval.scaling.search_cell import measure

        found = measure(scaling, cell["size"], Vectors(cell["vectors"]), drawn, questions, config.seed)
    return {"cell": cell, "machine": before, "load_average_after": machine.facts()["load_average"], **found}


def _method(config: RunConfig, scaling: ScalingConfig, cell: dict[str, Any], drawn: Any) -> dict[str, Any]:
    from amem.embedding import SentenceTransformerEmbedder
    from eval import data
    from eval.prompts import load_pack
    from eval.runner.build import Builder
    from eval.scaling.method_cell import Bench

    dataset, _ = data.load(config.dataset)
    embedder = SentenceTransformerEmbedder(config.embedder.model, dimension=config.embedder.dimension)
    build = Builder(cell["method"], config.methods[cell["method"]])
    bench = Bench(build, load_pack(config.prompts.folder or "default"), embedder, scaling, cell["size"])
    texts = [turn.text for conversation in dataset.conversations for turn in conversation.turns()]
    questions = [item.question.text for conversation in dataset.conversations for item in conversation.items]
    return bench.measure(drawn, texts, questions)


def main() -> None:
    from eval.runner.files import write_json

    spec = json.load(sys.stdin)
    end_with(spec["parent"])
    write_json(Path(sys.argv[1]), measured(spec))


if __name__ == "__main__":
    main()
