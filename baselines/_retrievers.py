"""Rankers of documents: cosine of embeddings, or BM25. Both give descending scores, ties by insertion order."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from rank_bm25 import BM25Okapi

from amem.embedding import Embedder
from amem.index import SCORE_DECIMALS, CosineIndex, Hit

_WORD = re.compile(r"\w+")


class Retriever(Protocol):
    """Search is thread-safe; putting is not."""

    def __len__(self) -> int: ...

    def put(self, ids: Sequence[str], texts: Sequence[str]) -> None:
        """Add texts; one of a known id takes the place of the earlier one."""

    def search(self, query: str, k: int) -> list[Hit]: ...

    def arrays(self) -> dict[str, np.ndarray]:
        """What `restore` needs besides ids and texts."""

    def restore(self, ids: Sequence[str], texts: Sequence[str], arrays: dict[str, np.ndarray]) -> None: ...


class CosineRetriever:
    """Cosine of the embedder's vectors."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._index = CosineIndex(embedder.dimension)

    def __len__(self) -> int:
        return len(self._index)

    def put(self, ids: Sequence[str], texts: Sequence[str]) -> None:
        self._put_vectors(ids, self._embedder.encode(texts))

    def search(self, query: str, k: int) -> list[Hit]:
        return self._index.search(self._embedder.encode([query])[0], k)

    def arrays(self) -> dict[str, np.ndarray]:
        return {"vectors": self._index.vectors()}

    def restore(self, ids: Sequence[str], texts: Sequence[str], arrays: dict[str, np.ndarray]) -> None:
        self._index = CosineIndex(self._embedder.dimension)
        self._put_vectors(ids, arrays["vectors"])

    def _put_vectors(self, ids: Sequence[str], vectors: np.ndarray) -> None:
        for id_, vector in zip(ids, vectors, strict=True):
            (self._index.replace if id_ in self._index else self._index.add)(id_, vector)


class Bm25Retriever:
    """Okapi BM25 (rank_bm25, its defaults k1 = 1.5, b = 0.75) over lower-cased words."""

    def __init__(self) -> None:
        self._words: dict[str, list[str]] = {}
        self._ranker: BM25Okapi | None = None
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._words)

    def put(self, ids: Sequence[str], texts: Sequence[str]) -> None:
        self._words |= {id_: words(text) for id_, text in zip(ids, texts, strict=True)}
        self._ranker = None

    def search(self, query: str, k: int) -> list[Hit]:
        if not any(self._words.values()):
            return []
        scores = np.round(self._built().get_scores(words(query)), SCORE_DECIMALS)
        best = np.argsort(-scores, kind="stable")[:k]
        ids = list(self._words)
        return [Hit(ids[row], float(scores[row])) for row in best]

    def arrays(self) -> dict[str, np.ndarray]:
        return {}

    def restore(self, ids: Sequence[str], texts: Sequence[str], arrays: dict[str, np.ndarray]) -> None:
        self._words = {}
        self.put(ids, texts)

    def _built(self) -> BM25Okapi:
        # Built at the first search: its statistics are of all documents, and building per session would be quadratic.
        with self._lock:
            if self._ranker is None:
                self._ranker = BM25Okapi(list(self._words.values()))
            return self._ranker


def words(text: str) -> list[str]:
    """The lower-cased words of a text."""
    return _WORD.findall(text.lower())
