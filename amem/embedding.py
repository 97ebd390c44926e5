"""Text to unit vectors, with a cache that makes them part of the record.

A vector depends on the machine's kernels and on what shares its batch, by some 1e-7; that is enough to swap two
neighbours. So each text is encoded alone, on one thread, and kept in the record store under the encoder's name: a
replayed run searches the very vectors that the first run searched.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from amem.errors import ConfigurationError
from amem.sentence_encoder import MINILM, MINILM_DIMENSION, SentenceEncoder


class Embedder(Protocol):
    """Encodes texts as L2-normalised float32 rows. Thread-safe."""

    name: str
    dimension: int

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Array of shape (len(texts), dimension); the same text always gives the same row."""


class VectorStore(Protocol):
    """Where cached vectors live; the record store is one."""

    def get_vector(self, encoder: str, text_hash: str) -> np.ndarray | None: ...

    def put_vector(self, encoder: str, text_hash: str, vector: np.ndarray) -> None: ...


class SentenceTransformerEmbedder:
    """A sentence-transformers model on the CPU, loaded at the first text that is not cached.

    `model` is a folder, or the name of a model that is installed as a package (all-MiniLM-L6-v2) or to be had from
    the hub.
    """

    dimension: int

    def __init__(
        self, model: str = MINILM, *, store: VectorStore | None = None, dimension: int = MINILM_DIMENSION
    ) -> None:
        self.name = model
        self.dimension = dimension
        self._store = store
        self._memory: dict[str, np.ndarray] = {}
        self._lock = threading.Lock()
        self._encoder: SentenceEncoder | None = None

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return np.stack([self._one(text) for text in texts])

    def _one(self, text: str) -> np.ndarray:
        key = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        vector = self._memory.get(key)
        if vector is None and self._store is not None:
            vector = self._store.get_vector(self.name, key)
        if vector is None:
            vector = self._compute(text)
            if self._store is not None:
                self._store.put_vector(self.name, key, vector)
        self._memory[key] = vector
        return vector

    def _compute(self, text: str) -> np.ndarray:
        with self._lock:
            if self._encoder is None:
                self._encoder = self._load()
        return self._encoder.encode(text)

    def _load(self) -> SentenceEncoder:
        encoder = SentenceEncoder(self.name)
        if encoder.dimension != self.dimension:
            raise ConfigurationError(
                f"embedder {self.name} gives {encoder.dimension} dimensions, the configuration says {self.dimension}"
            )
        return encoder
