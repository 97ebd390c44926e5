"""What stands in for model, encoder and book-keeping while a method is timed, so that each share can be told."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from amem import tokens
from amem.embedding import Embedder
from amem.lm.providers.from_schema import reply_to
from amem.lm.types import Completion, ModelFailure, Request, Usage


class StandInModel:
    """A language model that replies at once with what fits the schema, and then sleeps as long as a call would take.

    It has the face of `LanguageModel` that memory methods see, without its guards: what is timed is the method. No
    text is too long for it, and it counts no tokens.
    """

    window = 10**12

    def __init__(self, call_seconds: float = 0.0, *, concurrency: int = 8) -> None:
        self.call_seconds = call_seconds
        self.concurrency = concurrency
        self.seconds = 0.0
        """Spent in here so far."""
        self.calls = 0

    def count_tokens(self, text: str) -> int:
        return 0

    def complete(self, request: Request) -> Completion:
        return self.complete_many([request])[0]  # type: ignore[return-value]

    def complete_many(self, requests: Sequence[Request]) -> list[Completion | ModelFailure]:
        start = time.perf_counter()
        replies: list[Completion | ModelFailure] = [_completion(request) for request in requests]
        time.sleep(self.call_seconds * math.ceil(len(requests) / self.concurrency))
        self.calls += len(requests)
        self.seconds += time.perf_counter() - start
        return replies


def _completion(request: Request) -> Completion:
    if request.purpose == "readagent_lookup":
        # Its reply names pages; the shortest reply that does.
        return _said("[1, 2, 3]", None)
    text = reply_to(request)
    return _said(text, json.loads(text) if request.schema is not None else None)


def _said(text: str, parsed: Any) -> Completion:
    return Completion(text, parsed, Usage(0, 0), seconds=0.0, usd=0.0, key="", from_records=False)


class TimedEncoder:
    """The run's own embedder, with the time spent in it."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.name = embedder.name
        self.dimension = embedder.dimension
        self.seconds = 0.0

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        start = time.perf_counter()
        try:
            return self._embedder.encode(texts)
        finally:
            self.seconds += time.perf_counter() - start


@contextmanager
def uncounted() -> Iterator[None]:
    """No token is counted inside: counts serve the report, and over a million gists they would be all that is timed."""
    counting = tokens.count
    tokens.count = lambda text: 0  # type: ignore[assignment]
    try:
        yield
    finally:
        tokens.count = counting
