"""The embedded backbone: SmolLM2-135M-Instruct in this process, by llama.cpp. A real model, and a weak one.

Same request, same bytes, whatever was asked before and however many workers there are; only another machine's
arithmetic may differ. A worker is one thread, since two threads on a core that something else uses collapse.
"""

from __future__ import annotations

import importlib.metadata
import os
import queue
import tempfile
import threading
import time
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from amem.errors import ConfigurationError
from amem.lm.providers import _gguf
from amem.lm.providers._gbnf import UnsupportedSchema, grammar_of
from amem.lm.providers._heads import SavedHeads
from amem.lm.providers._llama import LlamaWorker, Prompt
from amem.lm.providers._scratch import remove_left_behind, scratch_folder
from amem.lm.types import FailureKind, ModelFailure, Reply, Request, Usage

RUNTIME = "xllamacpp"


class EmbeddedProvider:
    """`model`: a GGUF file (None: the packaged SmolLM2); `context` in tokens; `workers`: None is one a core.

    Nothing is loaded before the first call or count. A schema outside the grammar's subset (see `_gbnf`) is a
    BAD_REQUEST failure.
    """

    truncation_share = 1.0

    def __init__(self, *, model: str | None = None, context: int = _gguf.CONTEXT, workers: int | None = None) -> None:
        _check(model, context, workers)
        self.workers = workers or _cores()
        self._model = model
        self._context = context
        self._lock = threading.Lock()
        self._started: list[LlamaWorker] = []
        self._idle: queue.SimpleQueue[LlamaWorker] = queue.SimpleQueue()
        self._scratch: tempfile.TemporaryDirectory[str] | None = None
        self._heads: SavedHeads | None = None
        self._count = lru_cache(maxsize=8_192)(lambda text: len(self._any_worker().tokens(text)))
        self._prompt = lru_cache(maxsize=64)(lambda messages: self._any_worker().prompt(messages))

    @property
    def identity(self) -> Mapping[str, Any]:
        file = _gguf.describe(self._model)
        return {
            "provider": "embedded",
            "model": file.name,
            "sha256": file.sha256,
            "context": self._context,
            "runtime": f"{RUNTIME} {_runtime_version()}",
            "evaluation": "head apart",
        }

    @property
    def window(self) -> int:
        return self._context

    def problems(self) -> list[str]:
        """What keeps the model from being called, a line each."""
        try:
            _runtime_version()
            _gguf.locate(self._model)
        except ConfigurationError as error:
            return [str(error)]
        return []

    def count_tokens(self, text: str) -> int:
        return self._count(text)

    def count_prompt(self, request: Request) -> int:
        """Tokens of the whole prompt in the model's own chat template."""
        return len(self._prompt(request.messages).tokens)

    def complete(self, request: Request) -> Reply:
        options = _options(request)
        prompt = self._prompt(request.messages)
        if len(prompt.tokens) >= self._context:
            raise self._overflow(request, len(prompt.tokens))
        answer, seconds = self._work(prompt, options)
        if "error" in answer:
            raise _refused(request, answer["error"])
        choice, usage = answer["choices"][0], answer["usage"]
        counts = Usage(usage["prompt_tokens"], usage["completion_tokens"], prompt.head)
        return Reply(choice["text"], counts, seconds, choice["finish_reason"])

    def close(self) -> None:
        with self._lock:
            self._started.clear()
            self._idle = queue.SimpleQueue()
            if self._scratch is not None:
                self._scratch.cleanup()
                self._scratch = self._heads = None

    def _work(self, prompt: Prompt, options: dict[str, Any]) -> tuple[dict[str, Any], float]:
        worker = self._take_worker()
        try:
            start = time.perf_counter()
            return worker.complete(prompt, options), time.perf_counter() - start
        finally:
            self._idle.put(worker)

    def _take_worker(self) -> LlamaWorker:
        try:
            return self._idle.get_nowait()
        except queue.Empty:
            with self._lock:
                if len(self._started) < self.workers:
                    return self._start_worker()
            return self._idle.get()

    def _any_worker(self) -> LlamaWorker:
        with self._lock:
            if not self._started:
                self._idle.put(self._start_worker())
            return self._started[0]

    def _start_worker(self) -> LlamaWorker:
        if self._heads is None:
            remove_left_behind()
            self._scratch = scratch_folder()
            self._heads = SavedHeads(Path(self._scratch.name))
        worker = LlamaWorker(_gguf.locate(self._model), self._context, self._heads)
        self._started.append(worker)
        return worker

    def _overflow(self, request: Request, tokens: int) -> ModelFailure:
        return ModelFailure(
            FailureKind.CONTEXT_OVERFLOW,
            f"the prompt of {tokens} tokens does not fit the embedded model's context of {self._context}",
            purpose=request.purpose,
            details={"prompt_tokens": tokens, "window": self._context},
        )


def _check(model: str | None, context: int, workers: int | None) -> None:
    if workers is not None and workers < 1:
        raise ConfigurationError(f"embedded backbone: settings.workers must be 1 or more, or null; got {workers}")
    if context < 1 or (model is None and context > _gguf.CONTEXT):
        raise ConfigurationError(
            f"embedded backbone: settings.context must lie within 1 and {_gguf.CONTEXT}, which {_gguf.FILE} was "
            f"trained for; got {context}"
        )


def _options(request: Request) -> dict[str, Any]:
    sampling = request.sampling
    options = {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "top_k": 0,
        "min_p": 0.0,
        "n_predict": sampling.max_tokens,
        "seed": (sampling.seed or 0) + request.repeat,
        "stop": list(sampling.stop),
    }
    if request.schema is None:
        return options
    try:
        return options | {"grammar": grammar_of(request.schema)}
    except UnsupportedSchema as error:
        raise ModelFailure(FailureKind.BAD_REQUEST, f"schema of the reply: {error}", purpose=request.purpose) from error


def _refused(request: Request, error: Mapping[str, Any]) -> ModelFailure:
    bad = 400 <= int(error.get("code", 500)) < 500
    kind = FailureKind.BAD_REQUEST if bad else FailureKind.SERVER
    return ModelFailure(kind, f"llama.cpp: {error.get('message')}", purpose=request.purpose, details=error)


def _runtime_version() -> str:
    try:
        return importlib.metadata.version(RUNTIME)
    except importlib.metadata.PackageNotFoundError as error:
        raise ConfigurationError(f"the embedded backbone needs {RUNTIME}: pip install {RUNTIME}") from error


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
