"""What the calls that were made for a question were for, and the tokens that went into each use."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from eval.scoring.answers import Answer

Place = tuple[str, str]
"""Backbone and method."""

_ANSWERING = "answer_"
_AGENT = "memgpt_answer"
_MEMORY = ("memgpt_memory", "memgpt_summary", "memorybank_", "note_", "readagent_gist", "readagent_paginate")


class Use(StrEnum):
    ANSWER = "answer"
    LOOK_UP = "look_up"
    MEMORY = "memory"


@dataclass(slots=True)
class Tokens:
    """Sums over calls, as the provider counts."""

    calls: int = 0
    prompt: int = 0
    completion: int = 0

    def book(self, call: Mapping[str, Any]) -> None:
        self.calls += 1
        self.prompt += call["prompt_tokens"]
        self.completion += call["completion_tokens"]

    @property
    def total(self) -> int:
        return self.prompt + self.completion


@dataclass(slots=True)
class TokenUse:
    """Of one backbone and method, over all questions asked, failed ones too: their calls were made all the same."""

    questions: int = 0
    by_use: dict[Use, Tokens] = field(default_factory=lambda: {use: Tokens() for use in Use})

    def mean(self, use: Use, quantity: str = "total") -> float:
        """A question; `quantity` is an attribute of `Tokens`. NaN where nothing was asked."""
        return getattr(self.by_use[use], quantity) / self.questions if self.questions else math.nan


def token_use(answers: Iterable[Answer]) -> dict[Place, TokenUse]:
    """In the order of the answers; questions that were never asked, since their memory failed, are left out."""
    found: dict[Place, TokenUse] = {}
    for row in answers:
        own = found.setdefault((row["backbone"], row["method"]), TokenUse())
        own.questions += row["failure"] is None or bool(row["calls"])
        for use, call in uses(row["calls"]):
            own.by_use[use].book(call)
    return found


def uses(calls: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Use, Mapping[str, Any]]]:
    """The use of each call made for one question.

    MemGPT searches and answers by calls of one purpose: the last of a question is its answer, those before it look up.
    A purpose of no method here, such as a plug-in's, looks up unless its name starts as an answering call's does.
    """
    last = max((place for place, call in enumerate(calls) if call["purpose"] == _AGENT), default=None)
    for place, call in enumerate(calls):
        yield Use.ANSWER if place == last else _use(call["purpose"]), call


def asked_the_reader(calls: Sequence[Mapping[str, Any]]) -> bool:
    """Whether one of a question's calls is the reader's: a method that answers itself makes none."""
    return any(call["purpose"].startswith(_ANSWERING) for call in calls)


def _use(purpose: str) -> Use:
    if purpose.startswith(_ANSWERING):
        return Use.ANSWER
    return Use.MEMORY if purpose.startswith(_MEMORY) else Use.LOOK_UP
