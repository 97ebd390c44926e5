"""Archival storage: passages found by the cosine of their vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from amem.index import CosineIndex
from baselines._memgpt.paging import Page, page_of


@dataclass(frozen=True, slots=True)
class Passage:
    """A turn, or (without `turn_id`) what the agent wrote down."""

    text: str
    date_text: str | None
    turn_id: str | None = None


class ArchivalStorage:
    """Passages in insertion order. A fork shares them with its origin until either inserts."""

    def __init__(self, dimension: int) -> None:
        self._passages: list[Passage] = []
        self._index = CosineIndex(dimension)
        self._shared = False

    def __len__(self) -> int:
        return len(self._passages)

    def insert(self, passages: Sequence[Passage], vectors: np.ndarray) -> None:
        """Add passages with their vectors, shape (len(passages), dimension)."""
        if self._shared:
            self._detach()
        for passage, vector in zip(passages, vectors, strict=True):
            self._index.add(str(len(self._passages)), vector)
            self._passages.append(passage)

    def search(self, vector: np.ndarray, page: int, size: int) -> Page[Passage]:
        """Page `page` of all passages, nearest first."""
        nearest = [self._passages[int(hit.id)] for hit in self._index.search(vector, page * size)]
        return page_of(nearest, page, size, total=len(self))

    def fork(self) -> ArchivalStorage:
        self._shared = True
        fork = ArchivalStorage(self._index.dimension)
        fork._passages, fork._index, fork._shared = self._passages, self._index, True
        return fork

    def to_json(self) -> list[dict[str, Any]]:
        return [asdict(passage) for passage in self._passages]

    def vectors(self) -> np.ndarray:
        return self._index.vectors()

    @classmethod
    def from_json(cls, passages: Sequence[Mapping[str, Any]], vectors: np.ndarray, dimension: int) -> ArchivalStorage:
        storage = cls(dimension)
        storage.insert([Passage(**passage) for passage in passages], vectors)
        return storage

    def _detach(self) -> None:
        passages, vectors = self._passages, self._index.vectors()
        self._passages, self._index, self._shared = [], CosineIndex(self._index.dimension), False
        self.insert(passages, vectors)
