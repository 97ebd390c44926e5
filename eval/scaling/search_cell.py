"""One cell: the three indexes over the same vectors, their latency, recall and memory, and the floor of reading."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from eval.scaling.clock import timed
from eval.scaling.config import ScalingConfig, Vectors
from eval.scaling.indexes import Built, apply, exact, hnsw, ivf, recall, settings_of
from eval.scaling.machine import Reader, unwaited_seconds
from eval.scaling.vectors import TextLike, random_vectors

QUERY_SEED = 1
STORE_SEED = 2
WARM_UP = 3
BATCHES = 3
LONG_SECONDS = 5.0
"""A batch that takes longer is timed once."""

Rows = dict[str, np.ndarray]
"""Vectors, or rows found, by what the queries are."""


def measure(
    config: ScalingConfig, size: int, kind: Vectors, drawn: TextLike, questions: np.ndarray, seed: int
) -> dict[str, Any]:
    """Raw seconds, bytes and recall; `questions` are vectors of the data set's questions."""
    stored, queries = _vectors(config, size, kind, drawn, questions, seed)
    reader = Reader(stored)
    exact_facts, read, truth = _exact(config, stored, queries, reader)
    indexes = [exact_facts]
    for build in (lambda: hnsw(stored, config.hnsw), lambda: ivf(stored, config.ivf)):
        indexes.append(_approximate(config, build, queries, truth))
    return {
        "read": {"way": reader.way, "seconds": read, "bytes": stored.nbytes},
        "unwaited_seconds": unwaited_seconds(config.queries),
        "indexes": indexes,
    }


def _vectors(
    config: ScalingConfig, size: int, kind: Vectors, drawn: TextLike, questions: np.ndarray, seed: int
) -> tuple[np.ndarray, Rows]:
    """What is stored, and batches of queries."""
    if kind is Vectors.RANDOM:
        queries = random_vectors(config.batch, drawn.dimension, seed + QUERY_SEED)
        return random_vectors(size, drawn.dimension, seed + STORE_SEED), {"random": queries}
    asked = questions[np.arange(config.batch) % len(questions)]
    return drawn.draw(size, STORE_SEED), {"questions": asked, "notes": drawn.draw(config.batch, QUERY_SEED)}


def _exact(
    config: ScalingConfig, stored: np.ndarray, queries: Rows, reader: Reader
) -> tuple[dict[str, Any], list[float], Rows]:
    """The exact index's facts, the seconds of reading, and the right rows of the single queries.

    Reading and searching take turns, so that whatever else the machine does meets both alike.
    """
    built = exact(stored)
    read: list[float] = []
    searches, truth = [], {}
    for name, batch in queries.items():
        seconds = []
        for query in batch[: config.queries]:
            read.append(reader())
            seconds.append(timed(partial(built.index.search, query, config.k))[0])
        together, rows = _batch(config, built.index.flat, batch)
        truth[name] = rows[: config.queries]
        searches.append(_search(name, {}, seconds, 1.0, together, len(batch)))
    return _facts(built, searches), read, truth


def _approximate(config: ScalingConfig, build: Callable[[], Built], queries: Rows, truth: Rows) -> dict[str, Any]:
    built = build()
    searches = []
    for settings in settings_of(built.name, config.hnsw, config.ivf, built.parameters.get("lists", 0)):
        apply(built.index, settings)
        searches += [_searched(config, built.index, settings, name, queries[name], truth[name]) for name in queries]
    return _facts(built, searches)


def _searched(
    config: ScalingConfig, index: Any, settings: Mapping[str, int], name: str, batch: np.ndarray, right: np.ndarray
) -> dict[str, Any]:
    for query in batch[:WARM_UP]:
        index.search(query[None, :], config.k)
    seconds, found = zip(*_singles(config, index, batch), strict=True)
    together, _ = _batch(config, index, batch)
    return _search(name, settings, list(seconds), recall(np.stack(found), right), together, len(batch))


def _singles(config: ScalingConfig, index: Any, batch: np.ndarray) -> Iterator[tuple[float, np.ndarray]]:
    for query in batch[: config.queries]:
        seconds, (_, rows) = timed(partial(index.search, query[None, :], config.k))
        yield seconds, rows[0]


def _batch(config: ScalingConfig, index: Any, batch: np.ndarray) -> tuple[list[float], np.ndarray]:
    """Seconds of each call for the whole batch, and the rows found."""
    seconds: list[float] = []
    while not seconds or (len(seconds) < BATCHES and seconds[-1] < LONG_SECONDS):
        taken, (_, rows) = timed(lambda: index.search(batch, config.k))
        seconds.append(taken)
    return seconds, rows


def _search(
    name: str, settings: Mapping[str, int], seconds: list[float], recalled: float, together: list[float], batch: int
) -> dict[str, Any]:
    return {
        "queries": name,
        "settings": dict(settings),
        "seconds": seconds,
        "recall": recalled,
        "batch": {"queries": batch, "seconds": together},
    }


def _facts(built: Built, searches: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "name": built.name,
        "parameters": dict(built.parameters),
        "build_seconds": built.build_seconds,
        "index_bytes": built.index_bytes,
        "process_bytes": built.process_bytes,
        "searches": searches,
    }
