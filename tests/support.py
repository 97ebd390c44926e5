"""What tests of several folders share: a scripted model, an embedder without a network, the shipped prompts."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from amem.contract import Tools
from amem.lm.model import LanguageModel
from amem.lm.providers.scripted import ScriptedProvider
from amem.lm.retry import RetryPolicy
from amem.lm.types import ModelFailure, Reply, Request, Sampling
from amem.prompting.pack import PromptPack

DEFAULT_PACK = Path(__file__).parents[1] / "configs" / "prompts" / "default"
SAMPLING = Sampling(temperature=0.0, top_p=1.0, max_tokens=256, seed=0)
NO_WAITING = RetryPolicy(first_wait=0.0)

Script = Callable[[Request], str | Reply | ModelFailure]


class WordEmbedder:
    """Unit vectors in which every word is a fixed random direction: the more words two texts share, the nearer."""

    def __init__(self, dimension: int = 64) -> None:
        self.name = f"words-{dimension}"
        self.dimension = dimension

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return np.stack([self._one(text) for text in texts])

    def _one(self, text: str) -> np.ndarray:
        words = re.findall(r"\w+", text.lower()) or [""]
        total = np.sum([self._direction(word) for word in words], axis=0)
        return (total / np.linalg.norm(total)).astype(np.float32)

    def _direction(self, word: str) -> np.ndarray:
        seed = int.from_bytes(hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()[:8], "big")
        return np.random.default_rng(seed).standard_normal(self.dimension)


def scripted_model(script: Script, *, window: int = 32_768, latency: float = 0.0, **options: Any) -> LanguageModel:
    """A model that replies by `script`; `options` are those of LanguageModel."""
    provider = ScriptedProvider(script, window=window, latency=latency)
    return LanguageModel(provider, **{"sampling": SAMPLING, "retry": NO_WAITING, **options})


def tools_for(
    script: Script,
    pack_folder: Path | str | None = None,
    *,
    seed: int = 0,
    dimension: int = 64,
    **options: Any,
) -> Tools:
    """Tools of a memory method: scripted model, word embedder, the default prompt pack or the one in `pack_folder`.

    `options` go to `scripted_model` (window, latency, store, concurrency …).
    """
    pack = PromptPack(pack_folder or DEFAULT_PACK)
    return Tools(scripted_model(script, **options), WordEmbedder(dimension), pack, seed)
