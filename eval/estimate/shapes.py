"""What replies look like by purpose: from the records of earlier runs, else what assumptions.yaml says."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from statistics import fmean
from typing import Any

import yaml

from amem.lm.types import Reply

ENOUGH = 10
"""Replies of a purpose from which on their mean is trusted more than what is assumed."""

_ASSUMPTIONS = Path(__file__).with_name("assumptions.yaml")


@dataclass(frozen=True, slots=True)
class Shape:
    """The replies to one kind of call."""

    tokens: float
    """Mean length, in the backbone's tokenizer."""
    said_yes: float = 0.5
    """Share of replies that say yes in a yes-or-no field."""
    items: Mapping[str, float] = field(default_factory=dict)
    """Mean number of entries, by list field."""
    texts: tuple[str, ...] = ()
    """Whole replies to draw from, where what is asked next hangs on them."""
    seconds: float | None = None
    """Mean duration; None where it was not measured."""
    measured: int = 0
    """Recorded replies behind this; 0: assumed."""


@lru_cache(maxsize=1)
def _assumptions() -> dict[str, Any]:
    return yaml.safe_load(_ASSUMPTIONS.read_text("utf-8"))


def assumed(purpose: str) -> Shape:
    known = _assumptions()
    said = dict(known["replies"].get(purpose, known["otherwise"]))
    return Shape(**{**said, "texts": tuple(said.get("texts", ()))})


def assumed_seconds(backbone: str) -> tuple[float, str]:
    """Seconds a call, and where the figure is from."""
    known = _assumptions()
    said = known["seconds"].get(backbone, known["otherwise_seconds"])
    return float(said["seconds"]), str(said["source"])


def measured(replies: Iterable[tuple[str, Reply]]) -> dict[str, Shape]:
    """Shapes of recorded replies, (purpose, reply) each; purposes with fewer than `ENOUGH` are left out."""
    by_purpose: dict[str, list[Reply]] = {}
    for purpose, reply in replies:
        by_purpose.setdefault(purpose, []).append(reply)
    return {purpose: _shape(purpose, found) for purpose, found in by_purpose.items() if len(found) >= ENOUGH}


def _shape(purpose: str, replies: list[Reply]) -> Shape:
    values = [value for reply in replies if isinstance(value := _json(reply.text), dict)]
    answers = [answer for value in values for answer in value.values() if isinstance(answer, bool)]
    lengths: dict[str, list[int]] = {}
    for value in values:
        for name, entries in value.items():
            if isinstance(entries, list):
                lengths.setdefault(name, []).append(len(entries))
    return Shape(
        tokens=fmean(reply.usage.completion_tokens for reply in replies),
        said_yes=fmean(answers) if answers else 0.5,
        items={name: fmean(counts) for name, counts in lengths.items()},
        texts=tuple(sorted(reply.text for reply in replies)) if assumed(purpose).texts else (),
        seconds=fmean(reply.seconds for reply in replies),
        measured=len(replies),
    )


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return None
