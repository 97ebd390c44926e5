"""Vectors to store: random directions, and text-like ones that are drawn around the vectors of real turns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

NEIGHBOURS = 10
DIMENSION_NEIGHBOURS = 20
BLOCK = 50_000
"""Rows drawn at a time."""


def random_vectors(n: int, dimension: int, seed: int) -> np.ndarray:
    """Unit vectors of evenly drawn direction, shape (n, dimension)."""
    random = np.random.default_rng([seed, n])
    return _unit(random.standard_normal((n, dimension), dtype=np.float32))


@dataclass(frozen=True, slots=True)
class Nearness:
    """How a set of vectors is spread, for holding drawn vectors against real ones of the same number."""

    vectors: int
    nearest_cosine: float
    """Median over the vectors of the cosine with the nearest other one."""
    intrinsic_dimension: float
    """Median of Levina and Bickel's maximum-likelihood estimate (NIPS 2004) from the 20 nearest."""


def nearness(vectors: np.ndarray) -> Nearness:
    """`vectors` are unit vectors, shape (n, dimension), n at least 3."""
    import faiss

    k = min(DIMENSION_NEIGHBOURS, len(vectors) - 1)
    scores, _ = faiss.knn(vectors, vectors, k + 1, metric=faiss.METRIC_INNER_PRODUCT)
    scores = scores[:, 1:]
    distances = np.sqrt(np.maximum(2 - 2 * scores, 1e-9))
    ratios = np.log(distances[:, -1:] / distances[:, :-1]).mean(axis=1)
    return Nearness(len(vectors), float(np.median(scores[:, 0])), float(1 / np.median(np.maximum(ratios, 1e-9))))


class TextLike:
    """Draws vectors that lie among each other as the vectors of real turns do.

    A vector is drawn thus: a real turn, a point between it and one of its 10 nearest turns, and Gaussian noise with the
    covariance of the differences between near turns, scaled; then its length is made 1. The scale is fitted so that as
    many drawn vectors as there are real ones have the same median cosine to their nearest neighbour. Real vectors of
    a whole conversation are few; a million drawn ones fill the space between them and add no new topics.
    """

    def __init__(self, turns: np.ndarray, *, seed: int = 0, scale: float | None = None) -> None:
        """`turns`: unit vectors of shape (n, dimension); doubles are dropped; more than 2 must be left.

        `scale`: of an earlier fit to the same turns; None: it is fitted now.
        """
        import faiss

        self._turns = np.unique(np.ascontiguousarray(turns, dtype=np.float32), axis=0)
        self._seed = seed
        k = min(NEIGHBOURS, len(self._turns) - 1)
        _, rows = faiss.knn(self._turns, self._turns, k + 1, metric=faiss.METRIC_INNER_PRODUCT)
        self._near = rows[:, 1:]
        self._spread = _root((self._turns[self._near] - self._turns[:, None, :]).reshape(-1, turns.shape[1]))
        self.scale = self._fitted() if scale is None else scale

    @property
    def dimension(self) -> int:
        return self._turns.shape[1]

    def draw(self, n: int, seed: int) -> np.ndarray:
        """Shape (n, dimension); another `seed` gives other vectors."""
        return np.concatenate(list(self.blocks(n, seed)))

    def blocks(self, n: int, seed: int) -> Iterator[np.ndarray]:
        """The rows of `draw`, some at a time."""
        random = np.random.default_rng([self._seed, seed, n])
        for start in range(0, n, BLOCK):
            yield self._drawn(min(BLOCK, n - start), random, self.scale)

    def facts(self) -> dict[str, Any]:
        """What the drawn vectors are made from and how near they come."""
        drawn = nearness(self.draw(len(self._turns), seed=1))
        return {"scale": self.scale, "real": asdict(nearness(self._turns)), "drawn": asdict(drawn)}

    def _drawn(self, n: int, random: np.random.Generator, scale: float) -> np.ndarray:
        rows = random.integers(0, len(self._turns), n)
        others = self._near[rows, random.integers(0, self._near.shape[1], n)]
        start, way = self._turns[rows], random.random((n, 1), dtype=np.float32)
        noise = random.standard_normal((n, self._spread.shape[0]), dtype=np.float32) @ self._spread
        return _unit(start + way * (self._turns[others] - start) + np.float32(scale) * noise)

    def _fitted(self) -> float:
        aim = nearness(self._turns).nearest_cosine
        low, high = 0.0, 2.0
        for _ in range(12):
            middle = (low + high) / 2
            drawn = self._drawn(len(self._turns), np.random.default_rng(self._seed), middle)
            low, high = (middle, high) if nearness(drawn).nearest_cosine > aim else (low, middle)
        return (low + high) / 2


def _root(differences: np.ndarray) -> np.ndarray:
    """A matrix R, rows of weight first, such that standard normal rows times R have half the differences' covariance.

    Half: a difference of two turns holds the scatter of both.
    """
    values, directions = np.linalg.eigh(differences.T @ differences / (2 * len(differences)))
    kept = values > 1e-9
    return (directions[:, kept] * np.sqrt(values[kept])).T.astype(np.float32)


def _unit(vectors: np.ndarray) -> np.ndarray:
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors
