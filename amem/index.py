"""Exact cosine search over vectors that can be replaced, by id and never by list position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import faiss
import numpy as np

SCORE_DECIMALS = 6
"""Scores are compared at this precision, ties broken by insertion order: vector kernels differ by some 1e-7."""


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
        # Some more than k are fetched so that a tie across the k-th place is cut by insertion order, not by FAISS.
        wanted = min(len(self._ids), k + len(exclude) + 16)
        scores, rows = self._index.search(self._checked(vector)[None, :], wanted)
        excluded = set(exclude)
        found = [
            (-round(float(score), SCORE_DECIMALS), int(row))
            for score, row in zip(scores[0], rows[0], strict=True)
            if row >= 0 and self._ids[row] not in excluded
        ]
        return [Hit(self._ids[row], -score) for score, row in sorted(found)[:k]]

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
