"""A scaling run: every cell in a process of its own, its raw measurements to JSON; then tables and figure."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from amem.embedding import Embedder, SentenceTransformerEmbedder
from amem.errors import ConfigurationError
from amem.lm.records import RecordStore
from eval import data
from eval.composition import resolve_class
from eval.config import RunConfig
from eval.datasets.types import Dataset
from eval.prompts import load_pack
from eval.runner import manifest
from eval.runner.files import write_bytes, write_json
from eval.runner.progress import bar
from eval.scaling import machine
from eval.scaling.cell import CellSpec, cells_of
from eval.scaling.config import ScalingConfig
from eval.scaling.figures import measurements
from eval.scaling.process import do_cell, sigterm_as_exit
from eval.scaling.stores import check_fillable
from eval.scaling.vectors import TextLike


def run(config: RunConfig) -> Path:
    """Measure what is not measured yet and print the tables; returns the folder."""
    from eval.scaling.report import report

    scaling = config.scaling or ScalingConfig()
    _check_rest(config)
    dataset, line = data.load(config.dataset)
    print(line, flush=True)
    facts = _facts(config, dataset, line)
    folder = Path(config.results_dir) / f"{config.name}-{facts['key']}"
    facts["starts"] = manifest.earlier_starts(folder / "manifest.json")
    measurements(folder)  # A damaged one is told now, not when all others are measured.
    drawn = _real_vectors(folder, config, dataset)
    facts["text_like"] = {**drawn.facts(), "made_from": line}
    _measure(
        _do_all(list(cells_of(scaling.sizes, scaling.vectors, config.methods)), config, folder, drawn.scale),
        folder,
        facts,
    )
    print(report(folder), end="")
    print(f"\nWritten to {folder}", file=sys.stderr)
    return folder


def _check_rest(config: RunConfig) -> None:
    """Raises ConfigurationError for what is no part of `scaling`, and still can't be measured."""
    if config.seed < 0:
        raise ConfigurationError(f"seed must be at least 0 where vectors are drawn from it, not {config.seed}")
    check_fillable({name: resolve_class(method._target_) for name, method in config.methods.items()})


def _measure(cells: Iterator[CellSpec], folder: Path, facts: dict[str, Any]) -> None:
    """Have `cells` measured; the manifest in `folder` says at every moment how many of them this start has.

    `facts` is that manifest, with the earlier starts.
    """
    start: dict[str, Any] = {"started": manifest.now(), "machine": machine.facts()}
    facts["starts"].append(start)
    before = len(measurements(folder))

    def note() -> None:
        start["measured"] = len(measurements(folder)) - before
        write_json(folder / "manifest.json", facts)

    note()
    try:
        with sigterm_as_exit():
            for _ in cells:
                note()
        start["finished"] = manifest.now()
    finally:
        note()


def _facts(config: RunConfig, dataset: Dataset, line: str) -> dict[str, Any]:
    pack = load_pack(config.prompts.folder or "default")
    packs = {"all": {"name": pack.name, "hash": pack.hash}}
    return manifest.facts(config, dataset, line, packs, {})


def _real_vectors(folder: Path, config: RunConfig, dataset: Dataset) -> TextLike:
    """Vectors of all turns and questions, kept beside the measurements for the cells; fitted."""
    store = RecordStore(Path(config.records.path or Path(config.results_dir) / "records.sqlite"))
    with store:
        embedder = SentenceTransformerEmbedder(config.embedder.model, store=store, dimension=config.embedder.dimension)
        turns = [f"{turn.speaker}: {turn.text}" for c in dataset.conversations for turn in c.turns()]
        questions = [item.question.text for c in dataset.conversations for item in c.items]
        print(f"Encoding {len(turns):,} turns and {len(questions):,} questions", file=sys.stderr)
        vectors = {"turns": _encoded(embedder, turns), "questions": _encoded(embedder, questions)}
    content = io.BytesIO()
    np.savez(content, turns=vectors["turns"], questions=vectors["questions"])
    write_bytes(folder / "real.npz", content.getvalue())
    return TextLike(vectors["turns"], seed=config.seed)


def _encoded(embedder: Embedder, texts: Sequence[str]) -> np.ndarray:
    """On all cores: each text is encoded alone, on one thread."""
    with ThreadPoolExecutor(os.cpu_count()) as pool, bar(len(texts), "text") as progress:
        rows = []
        for row in pool.map(lambda text: embedder.encode([text])[0], texts):
            rows.append(row)
            progress.update()
    return np.stack(rows)


def _do_all(cells: Sequence[CellSpec], config: RunConfig, folder: Path, scale: float) -> Iterator[CellSpec]:
    """Yields each cell that it has measured.

    The bar counts entries, of which a cell's time is roughly a multiple; what was measured before has no rate.
    """
    out = {cell: folder / "measurements" / f"{cell.name}.json" for cell in cells}
    measured = sum(cell.size for cell in cells if out[cell].exists())
    total = sum(cell.size for cell in cells)
    with bar(total, "entry", initial=measured, smoothing=0) as progress:
        for cell in cells:
            if not out[cell].exists():
                progress.set_postfix_str(cell.name)
                do_cell(cell, config, folder, scale, out[cell], partial(progress.update, 0))
                progress.update(cell.size)
                yield cell
