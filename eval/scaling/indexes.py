"""The indexes that are held against each other: exact, a graph (HNSW), inverted lists (IVF)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import faiss
import numpy as np

from amem.index import CosineIndex
from eval.scaling.clock import timed
from eval.scaling.config import HnswConfig, IvfConfig
from eval.scaling.machine import cores, process_bytes

POINTS_PER_LIST = 64
"""Vectors that k-means sees of each list to be; FAISS' own limit is 256."""


@dataclass(frozen=True, slots=True)
class Built:
    """A filled index and what filling it took."""

    name: str
    index: Any
    parameters: Mapping[str, Any]
    build_seconds: float
    index_bytes: int
    """What the index is when written out."""
    process_bytes: int
    """What the process grew by."""


def exact(vectors: np.ndarray) -> Built:
    """The index that A-Mem and MemoryBank search, filled note by note as they fill it."""

    def fill() -> CosineIndex:
        index = CosineIndex(vectors.shape[1])
        for row, vector in enumerate(vectors):
            index.add(f"n{row + 1}", vector)
        return index

    return _built("exact", fill, {}, lambda index: index.flat)


def hnsw(vectors: np.ndarray, config: HnswConfig) -> Built:
    def fill() -> faiss.Index:
        index = faiss.IndexHNSWFlat(vectors.shape[1], config.m, faiss.METRIC_INNER_PRODUCT)
        index.hnsw.efConstruction = config.ef_construction
        with _all_cores():
            index.add(vectors)
        return index

    return _built("hnsw", fill, {"m": config.m, "ef_construction": config.ef_construction})


def ivf(vectors: np.ndarray, config: IvfConfig) -> Built:
    lists = config.lists(len(vectors))

    def fill() -> faiss.Index:
        quantizer = faiss.IndexFlatIP(vectors.shape[1])
        index = faiss.IndexIVFFlat(quantizer, vectors.shape[1], lists, faiss.METRIC_INNER_PRODUCT)
        index.cp.max_points_per_centroid = POINTS_PER_LIST
        index.cp.min_points_per_centroid = 1  # Only what FAISS warns below; a small index has fewer than it wants.
        with _all_cores():
            index.train(vectors[:: max(1, len(vectors) // (POINTS_PER_LIST * lists))])
            index.add(vectors)
        return index

    return _built("ivf", fill, {"lists": lists})


def settings_of(name: str, hnsw_config: HnswConfig, ivf_config: IvfConfig, lists: int) -> Iterator[dict[str, int]]:
    """The search parameters that an index is tried with."""
    if name == "hnsw":
        yield from ({"ef": ef} for ef in hnsw_config.ef)
    elif name == "ivf":
        yield from ({"probes": probes} for probes in ivf_config.probes if probes <= lists)
    else:
        yield {}


def apply(index: Any, settings: Mapping[str, int]) -> None:
    """Make an index search with `settings`."""
    if "ef" in settings:
        index.hnsw.efSearch = settings["ef"]
    if "probes" in settings:
        index.nprobe = settings["probes"]


def recall(found: np.ndarray, right: np.ndarray) -> float:
    """Share of the `right` rows, shape (queries, k), that are among the `found` ones."""
    hits = [len(set(mine.tolist()) & set(true.tolist())) for mine, true in zip(found, right, strict=True)]
    return sum(hits) / right.size


def _built(
    name: str, fill: Callable[[], Any], parameters: dict[str, Any], faiss_index: Callable[[Any], Any] = lambda i: i
) -> Built:
    before = process_bytes()
    seconds, index = timed(fill)
    return Built(name, index, parameters, seconds, written_bytes(faiss_index(index)), process_bytes() - before)


def written_bytes(index: faiss.Index) -> int:
    """Bytes of an index's file, counted without making one."""
    total = 0

    def count(data: bytes) -> int:
        nonlocal total
        total += len(data)
        return len(data)

    faiss.write_index(index, faiss.PyCallbackIOWriter(count))  # type: ignore[attr-defined]
    return total


@contextmanager
def _all_cores() -> Iterator[None]:
    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(cores())
    try:
        yield
    finally:
        faiss.omp_set_num_threads(before)
