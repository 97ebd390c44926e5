"""SBERT similarity: cosine of the sentence vectors of answer and reference under all-MiniLM-L6-v2.

Source: Reimers and Gurevych 2019; WujiangXu/AgenticMemory 7f716dc, utils.py, which encodes two texts a pair. Here
each different text is encoded once, in batches of texts of one length in tokens, so that nothing is padded.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any

import numpy as np

from amem.sentence_encoder import MINILM, load_sentence_transformer

BATCH_TOKENS = 1_024


class SbertSimilarity:
    """Cosine similarity of sentence vectors, within -1..1; 0 where either text is empty."""

    name = "sbert_similarity"

    def __init__(self, model: str = MINILM) -> None:
        self._model_name = model
        self._vectors: dict[str, np.ndarray] = {}

    @cached_property
    def _model(self) -> Any:
        import torch
        from torch.utils import mkldnn

        model = load_sentence_transformer(self._model_name).eval()
        # oneDNN's products of small matrices are twice as fast as MKL's on some processors, in the same precision.
        return mkldnn.to_mkldnn(model) if torch.backends.mkldnn.is_available() else model

    def scores(self, predictions: Sequence[str], references: Sequence[str], categories: Sequence[str]) -> list[float]:
        pairs = [(p.strip(), r.strip()) if p and r else None for p, r in zip(predictions, references, strict=True)]
        self._encode({text for pair in pairs if pair for text in pair})
        return [float(self._vectors[pair[0]] @ self._vectors[pair[1]]) if pair else 0.0 for pair in pairs]

    def _encode(self, texts: set[str]) -> None:
        new = sorted(texts - self._vectors.keys())
        if not new:
            return
        ids = self._model.tokenizer(new, truncation=True, max_length=self._model.max_seq_length)["input_ids"]
        batches = list(_batches(ids))
        # One thread a batch, and batches side by side: threads inside one small product wait more than they work.
        with ThreadPoolExecutor(os.cpu_count() or 1, initializer=_one_thread) as pool:
            rows = pool.map(lambda batch: self._forward([ids[place] for place in batch]), batches)
            for batch, vectors in zip(batches, rows, strict=True):
                self._vectors.update((new[place], vector) for place, vector in zip(batch, vectors, strict=True))

    def _forward(self, ids: list[list[int]]) -> np.ndarray:
        import torch

        with torch.inference_mode():
            tokens = torch.tensor(ids)
            features = {"input_ids": tokens, "attention_mask": torch.ones_like(tokens)}
            vectors = self._model(features)["sentence_embedding"]
            return torch.nn.functional.normalize(vectors, dim=1).numpy()


def _batches(ids: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Positions of `ids`, grouped by length and cut to about `BATCH_TOKENS` tokens."""
    by_length: dict[int, list[int]] = {}
    for place, tokens in enumerate(ids):
        by_length.setdefault(len(tokens), []).append(place)
    for length, places in sorted(by_length.items()):
        size = max(1, BATCH_TOKENS // length)
        yield from (places[start : start + size] for start in range(0, len(places), size))


def _one_thread() -> None:
    import torch

    torch.set_num_threads(1)


METRICS = (SbertSimilarity(),)
