"""Calls of a method, at its temperature, with unusable replies counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from amem.contract import Tools
from amem.lm.tolerance import usable
from amem.lm.types import Completion, Request


class Caller:
    """`temperature` None leaves the pack's, or the backbone's."""

    def __init__(self, tools: Tools, temperature: float | None) -> None:
        self._tools = tools
        self._temperature = temperature

    def request(self, call: str, **variables: Any) -> Request:
        request = self._tools.prompts.request(call, **variables)
        if self._temperature is None:
            return request
        return replace(request, sampling=replace(request.sampling, temperature=self._temperature))

    def all(self, requests: Sequence[Request], counts: Counter[str]) -> list[Completion | None]:
        """Side by side, in order; None, counted, where the reply can't be used. Other failures rise.

        Replies that were cut at their limit, or mended, are counted as `mended:<call>:<what>`.
        """
        done = [usable(result, counts) for result in self._tools.lm.complete_many(requests)]
        for request, completion in zip(requests, done, strict=True):
            for repair in completion.repairs if completion else ():
                counts[f"mended:{request.purpose}:{repair}"] += 1
        return done

    def one(self, counts: Counter[str], call: str, **variables: Any) -> Completion | None:
        return self.all([self.request(call, **variables)], counts)[0]
