"""A model whose replies are a function of the request: for tests, dry runs and benchmarks of everything around it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from amem import tokens
from amem.lm.types import ModelFailure, Reply, Request, Usage


class ScriptedProvider:
    """Answers with `reply(request)`: a text, a whole `Reply`, or a failure that is raised. Called from many threads.

    `latency` seconds are slept before each reply. `name` tells scripts apart in the records.
    """

    truncation_share = None

    def __init__(
        self,
        reply: Callable[[Request], str | Reply | ModelFailure],
        *,
        name: str = "scripted",
        window: int = 32_768,
        latency: float = 0.0,
    ) -> None:
        self._reply = reply
        self._name = name
        self._window = window
        self._latency = latency

    @property
    def identity(self) -> Mapping[str, Any]:
        return {"provider": "scripted", "model": self._name, "window": self._window}

    @property
    def window(self) -> int:
        return self._window

    def count_tokens(self, text: str) -> int:
        return tokens.count(text)

    def complete(self, request: Request) -> Reply:
        if self._latency:
            time.sleep(self._latency)
        said = self._reply(request)
        if isinstance(said, ModelFailure):
            raise said
        if isinstance(said, Reply):
            return said
        prompt = sum(self.count_tokens(message.content) for message in request.messages)
        return Reply(said, Usage(prompt, self.count_tokens(said)), self._latency)

    def close(self) -> None:
        pass
