"""Exact cosine search over vectors that can be replaced, by id and never by list position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import faiss
import numpy as np

SCORE_DECIMALS = 6
"""Scores are compared at this precision, ties broken by insertion order: vector kernels differ by some 1e-7."""


IN_CACHE_ROWS = 2_000
"""Beyond this FAISS reads a larger index at half the speed of memory, and its threads wait for busy cores."""

_COARSE_ERROR = 1e-4
"""More than a product of two unit vectors in single precision can be wrong by."""


@dataclass(frozen=True, slots=True)
class Hit:
    id: str
    score: float
    """Cosine similarity, rounded to `SCORE_DECIMALS`."""


class CosineIndex:
    """FAISS flat inner-product index over L2-normalised float32 vectors of shape (dimension,)."""

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self._index = faiss.IndexFlatIP(dimension)
        self._ids: list[str] = []
        self._rows: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, id: object) -> bool:
        return id in self._rows

    @property
    def ids(self) -> tuple[str, ...]:
        """In insertion order."""
        return tuple(self._ids)

    @property
    def flat(self) -> faiss.IndexFlatIP:
        """The FAISS index below, to be read and not to be changed."""
        return self._index

    def add(self, id: str, vector: np.ndarray) -> None:
        if id in self._rows:
            raise ValueError(f"id {id!r} is in the index already; use replace")
        self._index.add(self._checked(vector)[None, :])
        self._rows[id] = len(self._ids)
        self._ids.append(id)

    def replace(self, id: str, vector: np.ndarray) -> None:
        """Overwrite the vector of `id` in place; its rank among ties stays."""
        row = self._checked(vector)
        self._matrix()[self._rows[id]] = row

    def vector(self, id: str) -> np.ndarray:
        """A copy of the vector of `id`."""
        return self._matrix()[self._rows[id]].copy()

    def vectors(self) -> np.ndarray:
        """A copy of all vectors, shape (n, dimension), in insertion order."""
        return self._matrix().copy()

    def search(self, vector: np.ndarray, k: int, *, exclude: Sequence[str] = ()) -> list[Hit]:
        """The k nearest by cosine, best first, without `exclude`; fewer where the index holds fewer."""
        if k <= 0 or not self._ids:
            return []
        query = self._checked(vector)
        # Some more than k are fetched so that a tie across the k-th place is cut by insertion order, not by the kernel.
        wanted = min(len(self._ids), k + len(exclude) + 16)
        rows = self._nearest(query, wanted)
        excluded = set(exclude)
        found = [
            (-round(score, SCORE_DECIMALS), row)
            for score, row in zip(self._scores(query, rows), rows.tolist(), strict=True)
            if self._ids[row] not in excluded
        ]
        return [Hit(self._ids[row], -score) for score, row in sorted(found)[:k]]

    def _nearest(self, query: np.ndarray, wanted: int) -> np.ndarray:
        """Rows that hold the `wanted` nearest, and perhaps others."""
        if len(self._ids) <= IN_CACHE_ROWS:
            return self._index.search(query[None, :], wanted)[1][0]
        coarse = np.vecdot(self._matrix(), query)
        threshold = np.partition(coarse, -wanted)[-wanted] - _COARSE_ERROR
        return np.flatnonzero(coarse >= threshold)

    def _scores(self, query: np.ndarray, rows: np.ndarray) -> list[float]:
        # In double precision, so that neither the kernel nor the machine decides between two neighbours.
        return (self._matrix()[rows].astype(np.float64) @ query.astype(np.float64)).tolist()

    def _matrix(self) -> np.ndarray:
        size = self._index.ntotal * self.dimension
        if size == 0:
            return np.empty((0, self.dimension), dtype=np.float32)
        return faiss.rev_swig_ptr(self._index.get_xb(), size).reshape(self._index.ntotal, self.dimension)

    def _checked(self, vector: np.ndarray) -> np.ndarray:
        row = np.ascontiguousarray(vector, dtype=np.float32).reshape(-1)
        if row.shape != (self.dimension,):
            raise ValueError(f"a vector of {self.dimension} floats is needed, got shape {np.shape(vector)}")
        return row
