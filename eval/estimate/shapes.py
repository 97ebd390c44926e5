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

from amem.lm.keys import canonical_json, key_of
from amem.lm.records import Recorded
from amem.lm.structured import SchemaError, parse
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
    asked_again: float = 0.0
    """Share of calls whose reply is of no use, so that a second one is asked for."""
    tokens_of_yes: float | None = None
    """Mean length of those that say yes, where there are both: a no may be all there is to say."""
    schemas: tuple[str, ...] = ()
    """Beside `texts`: the key of the schema that each was a reply to; empty where that is not known."""


@lru_cache(maxsize=1)
def _assumptions() -> dict[str, Any]:
    return yaml.safe_load(_ASSUMPTIONS.read_text("utf-8"))


def assumed(purpose: str, pack: str = "") -> Shape:
    """What is shipped for a purpose, by prompt pack where the pack was measured."""
    known = _assumptions()
    of_pack = known["packs"].get(pack, {}).get("replies", {})
    said = dict(of_pack.get(purpose) or known["replies"].get(purpose, known["otherwise"]))
    return Shape(**{**said, "texts": tuple(said.get("texts", ()))})


def assumed_from(pack: str) -> str:
    """Where the shipped lengths for a prompt pack come from."""
    known = _assumptions()
    return str(known["packs"].get(pack, known)["source"])


def assumed_seconds(backbone: str) -> tuple[float, str]:
    """Seconds a call, and where the figure is from."""
    known = _assumptions()
    said = known["seconds"].get(backbone, known["otherwise_seconds"])
    return float(said["seconds"]), str(said["source"])


def measured(replies: Iterable[Recorded]) -> dict[str, Shape]:
    """Shapes of recorded replies; purposes with fewer than `ENOUGH` are left out."""
    by_purpose: dict[str, list[Recorded]] = {}
    for recorded in replies:
        by_purpose.setdefault(recorded.purpose, []).append(recorded)
    return {purpose: _shape(purpose, found) for purpose, found in by_purpose.items() if len(found) >= ENOUGH}


def schema_key(schema: Mapping[str, Any] | None) -> str:
    return key_of(canonical_json(schema))


def _shape(purpose: str, found: list[Recorded]) -> Shape:
    replies = [recorded.reply for recorded in found]
    values = [value for reply in replies if isinstance(value := _json(reply.text), dict)]
    answers = [answer for value in values for answer in value.values() if isinstance(answer, bool)]
    lengths: dict[str, list[int]] = {}
    for value in values:
        for name, entries in value.items():
            if isinstance(entries, list):
                lengths.setdefault(name, []).append(len(entries))
    unusable = sum(not _usable(recorded) for recorded in found)
    whole = sorted((r.reply.text, schema_key(r.schema)) for r in found) if assumed(purpose).texts else []
    return Shape(
        tokens=fmean(reply.usage.completion_tokens for reply in replies),
        said_yes=fmean(answers) if answers else 0.5,
        items={name: fmean(counts) for name, counts in lengths.items()},
        texts=tuple(text for text, _ in whole),
        seconds=fmean(reply.seconds for reply in replies),
        measured=len(replies),
        # For each useless reply there is a second one among the records.
        asked_again=unusable / max(1, len(found) - unusable),
        tokens_of_yes=_tokens_of_yes(replies),
        schemas=tuple(key for _, key in whole),
    )


def _tokens_of_yes(replies: list[Reply]) -> float | None:
    said = [(says_yes(reply.text), reply.usage.completion_tokens) for reply in replies]
    of_yes = [tokens for yes, tokens in said if yes]
    return fmean(of_yes) if 0 < len(of_yes) < len(said) else None


def says_yes(text: str) -> bool:
    value = _json(text)
    return isinstance(value, dict) and True in [entry for entry in value.values() if isinstance(entry, bool)]


def _usable(recorded: Recorded) -> bool:
    if recorded.schema is None:
        return True
    try:
        parse(recorded.reply.text, recorded.schema)
    except SchemaError:
        return False
    return True


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return None
