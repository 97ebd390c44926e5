"""One cell: a method's memory of a given size, what it weighs, and how long retrieval and a memory operation take."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from amem.contract import MemoryMethod, Question, Tools
from amem.embedding import Embedder
from amem.prompting.pack import PromptPack
from eval.scaling.clock import repeated, timed
from eval.scaling.config import ScalingConfig
from eval.scaling.indexes import written_bytes
from eval.scaling.machine import process_bytes
from eval.scaling.search_cell import STORE_SEED
from eval.scaling.stand_in import StandInModel, TimedEncoder, uncounted
from eval.scaling.stores import distinct, fill, session_of
from eval.scaling.vectors import TextLike

LARGE = 100_000
TURNS_AN_OPERATION = 2
"""Two turns are an exchange of MemoryBank; A-Mem makes two notes of them, and its time is given by the note."""


class Bench:
    """A method with everything around it, filled to one size."""

    def __init__(
        self,
        build: Callable[[Tools], MemoryMethod],
        prompts: PromptPack,
        embedder: Embedder,
        config: ScalingConfig,
        size: int,
    ) -> None:
        self.model = StandInModel(config.call_seconds)
        self.encoder = TimedEncoder(embedder)
        self.method = build(Tools(self.model, self.encoder, prompts))  # type: ignore[arg-type]
        self.size = size
        self._config = config
        self._repeats = config.large_operations if size >= LARGE else config.operations

    def measure(self, drawn: TextLike, texts: Sequence[str], questions: Sequence[str]) -> dict[str, Any]:
        """Raw bytes and seconds; `texts` and `questions` are the data set's."""
        self.encoder.encode([questions[0]])
        before = process_bytes()
        endless = distinct(texts)
        seconds, index = timed(lambda: self._filled(endless, _rows(drawn, self.size)))
        grown = process_bytes() - before
        with uncounted():
            return {
                "fill_seconds": seconds,
                "process_bytes": grown,
                "index_bytes": written_bytes(index.flat) if index is not None else 0,
                "search_seconds": self._searches(index, drawn) if index is not None else None,
                "retrievals": [self._retrieval(text) for text in questions[: self._repeats]],
                "operations": [self._operation(n, endless) for n in range(self._repeats)],
            }

    def _filled(self, texts: Iterator[str], vectors: Iterator[np.ndarray]) -> Any:
        # Millions of objects that stay: collecting among them, again and again, would be most of the time.
        gc.disable()
        try:
            return fill(self.method, self.size, texts, vectors)
        finally:
            gc.freeze()
            gc.enable()

    def _searches(self, index: Any, drawn: TextLike) -> list[float]:
        queries = drawn.draw(self._config.queries, seed=STORE_SEED + 1)
        return repeated(lambda query: index.search(query, self._config.k), list(queries))

    def _retrieval(self, text: str) -> dict[str, float]:
        return self._shares(lambda: self.method.recall(Question(text, text, "single_hop")))

    def _operation(self, number: int, texts: Iterator[str]) -> dict[str, float]:
        session = session_of(self.size + number + 1, [next(texts) for _ in range(TURNS_AN_OPERATION)])
        return {"turns": len(session.turns), **self._shares(lambda: self.method.ingest(session))}

    def _shares(self, call: Callable[[], Any]) -> dict[str, float]:
        """Seconds in all, and of them in the model and in the encoder."""
        model, encoder, calls = self.model.seconds, self.encoder.seconds, self.model.calls
        seconds, _ = timed(call)
        return {
            "seconds": seconds,
            "model_seconds": self.model.seconds - model,
            "encoder_seconds": self.encoder.seconds - encoder,
            "calls": self.model.calls - calls,
        }


def _rows(drawn: TextLike, n: int) -> Iterator[np.ndarray]:
    return (row for block in drawn.blocks(n, STORE_SEED) for row in block)
