"""A stand-in for a backbone: same window, same token counts, replies of the right length, and nothing is sent."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from zlib import crc32

import numpy as np

from amem.lm.limits import MESSAGE_OVERHEAD, CountsPrompts
from amem.lm.model import LanguageModel
from amem.lm.types import Completion, ModelFailure, Provider, Reply, Request, Usage
from eval.estimate.replies import made_reply, spoilt_reply
from eval.estimate.shapes import Shape, assumed

_START = 3
"""Tokens that a chat template adds once in OpenAI's format. The truncation guard reckons with the most that any of the
six backbones may add; an estimate wants the usual."""


class DryProvider:
    """Stands in for `real`, of which only the counting of tokens is used; `shapes` by purpose, else those shipped for
    the prompt pack."""

    truncation_share = None

    def __init__(self, real: Provider, shapes: Mapping[str, Shape], pack: str = "") -> None:
        self._real = real
        self._shapes = shapes
        self._pack = pack
        self._spoilt: set[str] = set()

    @property
    def identity(self) -> Mapping[str, Any]:
        return {"provider": "dry run"}

    @property
    def window(self) -> int:
        return self._real.window

    def count_tokens(self, text: str) -> int:
        return self._real.count_tokens(text)

    def count_prompt(self, request: Request) -> int:
        if isinstance(self._real, CountsPrompts):
            return self._real.count_prompt(request)
        return _START + sum(MESSAGE_OVERHEAD + self.count_tokens(message.content) for message in request.messages)

    def shape(self, purpose: str) -> Shape:
        return self._shapes.get(purpose) or assumed(purpose, self._pack)

    def complete(self, request: Request) -> Reply:
        shape = self.shape(request.purpose)
        second = any(message.content in self._spoilt for message in request.messages[-2:])
        text = None if second else spoilt_reply(request, shape)
        if text is not None:
            self._spoilt.add(text)
        else:
            text = made_reply(request, shape, self.count_tokens)
        return Reply(text, Usage(self.count_prompt(request), self.count_tokens(text)), 0.0)

    def close(self) -> None:
        self._real.close()


class RoundsModel(LanguageModel):
    """Counts the rounds of its calls by purpose: those asked for together are one as far as `side_by_side` goes."""

    def __init__(self, provider: DryProvider, side_by_side: int, **options: Any) -> None:
        super().__init__(provider, **options)
        self.rounds: Counter[str] = Counter()
        self._side_by_side = side_by_side

    def complete(self, request: Request) -> Completion:
        self.rounds[request.purpose] += 1
        return super().complete(request)

    def complete_many(self, requests: Sequence[Request]) -> list[Completion | ModelFailure]:
        rounds = self.rounds.copy()
        results = super().complete_many(requests)
        for purpose, count in Counter(request.purpose for request in requests).items():
            rounds[purpose] += -(-count // self._side_by_side)
        self.rounds = rounds
        return results


class WordCounts:
    """Embedder of a dry run: which words a text has. Near enough to choose neighbours, and a hundred times faster."""

    name = "word counts"

    def __init__(self, dimension: int = 384) -> None:
        self.dimension = dimension

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"\w+", text.lower()) or [""]:
                row[crc32(word.encode("utf-8", "surrogatepass")) % self.dimension] += 1
            row /= np.linalg.norm(row)
        return rows
