"""The rows of the table to be, with what their methods are built from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from amem.contract import Tools
from amem.embedding import Embedder, SentenceTransformerEmbedder
from amem.lm.model import LanguageModel
from amem.prompting.pack import PromptPack
from eval.benchmarks import Cell
from eval.config import RunConfig
from eval.runner.build import Builder


def embedder_of(config: RunConfig, store: Any) -> Embedder:
    """`store`: a `VectorStore`."""
    return SentenceTransformerEmbedder(config.embedder.model, store=store, dimension=config.embedder.dimension)


def cell_of(
    config: RunConfig,
    *,
    backbone: str,
    method: str,
    repeat: int,
    model: LanguageModel,
    embedder: Embedder,
    pack: PromptPack,
    folder: Path,
) -> Cell:
    """A backbone and a method under one seed; `folder` is the run's."""
    configured = config.methods[method]
    seed = config.seed + repeat
    return Cell(
        backbone=backbone,
        method=method,
        repeat=repeat,
        seed=seed,
        build=Builder(method, configured),
        tools=Tools(model, embedder, pack, seed),
        temperatures=config.backbones[backbone].answer_temperature,
        folder=folder / "memory" / backbone / (configured.swept.memory if configured.swept else method),
    )
