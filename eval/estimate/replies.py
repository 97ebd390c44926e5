"""A reply that fits a call's schema and is as long as its replies are known to be."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jsonschema import validators

from amem.lm.keys import key_of, request_json
from amem.lm.types import Request
from eval.estimate.shapes import Shape, says_yes, schema_key

_WORD = re.compile(r"[^\W_]{3,}")


def made_reply(request: Request, shape: Shape, count: Callable[[str], int]) -> str:
    """The text of a reply of about `shape.tokens` tokens by `count`; the same for the same request."""
    seed = key_of(request_json({}, request))
    if fitting := _whole(request, shape):
        return random.Random(seed).choice(fitting)
    words = _WORD.findall(request.messages[-1].content)[-200:] or ["nothing"]

    def written(words_each: float) -> str:
        writer = _Writer(random.Random(seed), shape, words, words_each)
        if request.schema is None:
            return writer.phrase()
        return json.dumps(writer.value("", request.schema), ensure_ascii=False, separators=(",", ":"))

    shortest = written(1)
    mean = shape.tokens_of_yes if shape.tokens_of_yes is not None and says_yes(shortest) else shape.tokens
    wanted = min(mean, request.sampling.max_tokens or mean)
    with_one, more = count(shortest), 9.0
    # Where a field holds no more, nine words are no longer than five: the second look is at the length that was meant.
    for _ in range(2):
        more = _words_each(wanted, with_one, count(written(more)), more)
    return written(more)


def spoilt_reply(request: Request, shape: Shape) -> str | None:
    """In the share of requests that are asked again: a reply that no schema takes."""
    seed = key_of(request_json({}, request))
    if request.schema is None or random.Random(f"{seed} again").random() >= shape.asked_again:
        return None
    words = _WORD.findall(request.messages[-1].content)[-200:] or ["nothing"]
    return _Writer(random.Random(seed), shape, words, max(1.0, shape.tokens)).phrase()


def _whole(request: Request, shape: Shape) -> list[str]:
    """Replies to draw from: those that were given to this very schema, else all that fit it."""
    if shape.schemas:
        key = schema_key(request.schema)
        same = [text for text, given in zip(shape.texts, shape.schemas, strict=True) if given == key]
        if same:
            return same
    return [text for text in shape.texts if _fits(text, request.schema)]


def _words_each(wanted: float, with_one: int, with_more: int, more: float) -> float:
    """By the straight line through the lengths with one word and with `more`."""
    if with_more <= with_one or wanted <= with_one:
        return 1.0
    return 1 + (wanted - with_one) / (with_more - with_one) * (more - 1)


class _Writer:
    """Draws the same decisions whatever the number of words in each free string."""

    def __init__(self, draw: random.Random, shape: Shape, words: Sequence[str], words_each: float) -> None:
        self._draw = draw
        self._shape = shape
        self._words = words
        self._each = words_each

    def phrase(self, at_most: int | None = None) -> str:
        """`at_most`: characters."""
        start = self._draw.randrange(len(self._words))
        count = int(self._each) + (self._draw.random() < self._each % 1)
        return " ".join(self._words[(start + i) % len(self._words)] for i in range(count))[:at_most]

    def value(self, name: str, schema: Mapping[str, Any]) -> Any:
        if "anyOf" in schema:
            return self.value(name, self._branch(schema["anyOf"]))
        if "enum" in schema:
            return self._draw.choice(schema["enum"])
        kind = schema.get("type", "string")
        if kind == "object":
            return {key: self.value(key, part) for key, part in schema.get("properties", {}).items()}
        if kind == "array":
            return [self.value(name, schema.get("items", {})) for _ in range(self._items(name, schema))]
        if kind == "boolean":
            return self._draw.random() < self._shape.said_yes
        if kind in ("integer", "number"):
            return self._draw.randint(0, 9)
        return self.phrase(schema.get("maxLength"))

    def _branch(self, branches: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """One that says yes or no in a field of its own is taken as often as yes or no is said."""
        yes = self._draw.random() < self._shape.said_yes
        return next((branch for branch in branches if yes in _decided(branch)), self._draw.choice(branches))

    def _items(self, name: str, schema: Mapping[str, Any]) -> int:
        mean = self._shape.items.get(name, 2.0)
        drawn = int(mean) + (self._draw.random() < mean % 1)
        return max(schema.get("minItems", 0), min(drawn, schema.get("maxItems", drawn)))


def _decided(branch: Mapping[str, Any]) -> list[bool]:
    """The booleans that fields of a branch are bound to."""
    parts = branch.get("properties", {}).values()
    return [value for part in parts for value in part.get("enum", ()) if isinstance(value, bool)]


def _fits(text: str, schema: Mapping[str, Any] | None) -> bool:
    if schema is None:
        return True
    try:
        value = json.loads(text)
    except json.JSONDecodeError:
        return False
    return validators.validator_for(schema)(schema).is_valid(value)
