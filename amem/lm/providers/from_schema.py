"""A model without a model: replies that fit the schema, of words taken from the prompt. Proves the plumbing only."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

from amem.lm.keys import key_of, request_json
from amem.lm.providers.scripted import ScriptedProvider
from amem.lm.types import Request

_WORD = re.compile(r"[^\W_]{3,}")


class FromSchemaProvider(ScriptedProvider):
    """Same request, same reply. `latency` seconds a call make it a stand-in for a server in benchmarks."""

    def __init__(self, *, window: int = 32_768, latency: float = 0.0, workers: int = 8) -> None:
        super().__init__(reply_to, name="from-schema", window=window, latency=latency)
        self.workers = workers


def reply_to(request: Request) -> str:
    """A text, or JSON where the request has a schema."""
    draw = random.Random(key_of(request_json({}, request)))
    words = _WORD.findall(request.messages[-1].content)[-200:] or ["nothing"]
    if request.schema is None:
        return _phrase(draw, words)
    return json.dumps(_value(request.schema, request.schema, draw, words), ensure_ascii=False)


def _value(schema: Mapping[str, Any], root: Mapping[str, Any], draw: random.Random, words: Sequence[str]) -> Any:
    if "$ref" in schema:
        return _value(_referenced(schema["$ref"], root), root, draw, words)
    for choice in ("enum", "anyOf", "oneOf"):
        if choice in schema:
            chosen = draw.choice(schema[choice])
            return chosen if choice == "enum" else _value(chosen, root, draw, words)
    if "const" in schema:
        return schema["const"]
    kind = schema.get("type", "string")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        return {name: _value(part, root, draw, words) for name, part in schema.get("properties", {}).items()}
    if kind == "array":
        return [_value(schema.get("items", {}), root, draw, words) for _ in range(_length(schema, draw))]
    return _scalar(kind, schema, draw, words)


def _scalar(kind: str, schema: Mapping[str, Any], draw: random.Random, words: Sequence[str]) -> Any:
    if kind in ("integer", "number"):
        low = int(schema.get("minimum", 0))
        return draw.randint(low, int(schema.get("maximum", low + 9)))
    if kind == "boolean":
        return draw.random() < 0.5
    if kind == "null":
        return None
    return _phrase(draw, words)[: schema.get("maxLength")]


def _length(schema: Mapping[str, Any], draw: random.Random) -> int:
    low = schema.get("minItems", 1)
    return draw.randint(low, min(schema.get("maxItems", low + 2), low + 2))


def _phrase(draw: random.Random, words: Sequence[str]) -> str:
    start = draw.randrange(len(words))
    return " ".join(words[start : start + draw.randint(1, 4)])


def _referenced(pointer: str, root: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Any = root
    for step in pointer.removeprefix("#/").split("/"):
        found = found[step]
    return found
