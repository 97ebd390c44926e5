"""JSON schema to a GBNF grammar without free whitespace.

llama.cpp's own translation lets whitespace stand between any two tokens, and a small model can spend its whole budget
on it. This one admits each value in a single spelling, that of `json.dumps(value, separators=(",", ":"))`. It knows the
subset that structured replies need and refuses the rest; properties come in the schema's order, all of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

_ANNOTATIONS = {"$schema", "title", "description", "default", "examples"}

_CHARACTER = r'[^"\\\x00-\x1F] | "\\" (["\\bfnrt] | "u00" [01] [0-9a-fA-F])'
_INTEGER = r'"-"? ("0" | [1-9] [0-9]{0,14})'


class UnsupportedSchema(ValueError):
    """The schema uses something that the grammar can't express; the message says what and where."""


def grammar_of(schema: Mapping[str, Any]) -> str:
    """GBNF text that admits exactly the compact spelling of the schema's values; raises UnsupportedSchema."""
    root = _expression(schema, "reply")
    return f"root ::= {root}\ncharacter ::= {_CHARACTER}\ninteger ::= {_INTEGER}\n"


def _expression(schema: Mapping[str, Any], path: str) -> str:
    if "enum" in schema:
        _refuse_unknown(schema, {"enum", "type"}, path)
        return _choice(schema["enum"], path)
    if "anyOf" in schema:
        _refuse_unknown(schema, {"anyOf"}, path)
        return f"({' | '.join(_expression(part, path) for part in schema['anyOf'])})"
    kind = schema.get("type")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise UnsupportedSchema(f"{path}: type {kind!r} is not supported (known: {', '.join(_KINDS)}, enum, anyOf)")
    translate, keywords = _KINDS[kind]
    _refuse_unknown(schema, {"type", *keywords}, path)
    return translate(schema, path)


def _object(schema: Mapping[str, Any], path: str) -> str:
    fields = [
        f"{_literal(json.dumps(name, ensure_ascii=False) + ':')} {_expression(part, f'{path}.{name}')}"
        for name, part in schema.get("properties", {}).items()
    ]
    unknown = set(schema.get("required", ())) - set(schema.get("properties", {}))
    if unknown:
        raise UnsupportedSchema(f"{path}: required names {', '.join(sorted(unknown))}, which properties does not have")
    return " ".join(['"{"', ' "," '.join(fields), '"}"']) if fields else '"{}"'


def _array(schema: Mapping[str, Any], path: str) -> str:
    low, high = _bounds(schema, "minItems", "maxItems", path)
    if high == 0:
        return '"[]"'
    item = _expression(schema.get("items", {}), f"{path}[]")
    more = "" if high is None else high - 1
    some = f'{item} ("," {item}){{{max(low - 1, 0)},{more}}}'
    return f'"[" {some} "]"' if low else f'"[" ({some})? "]"'


def _string(schema: Mapping[str, Any], path: str) -> str:
    low, high = _bounds(schema, "minLength", "maxLength", path)
    return rf'"\"" character{{{low},{"" if high is None else high}}} "\""'


def _choice(values: Sequence[Any], path: str) -> str:
    if not values:
        raise UnsupportedSchema(f"{path}: enum is empty, no reply could fit it")
    spellings = [json.dumps(value, ensure_ascii=False, separators=(",", ":")) for value in values]
    return f"({' | '.join(_literal(text) for text in spellings)})"


_KINDS: dict[str, tuple[Callable[[Mapping[str, Any], str], str], set[str]]] = {
    "object": (_object, {"properties", "required", "additionalProperties"}),
    "array": (_array, {"items", "minItems", "maxItems"}),
    "string": (_string, {"minLength", "maxLength"}),
    "integer": (lambda schema, path: "integer", set()),
    "boolean": (lambda schema, path: '("true" | "false")', set()),
}


def _bounds(schema: Mapping[str, Any], low: str, high: str, path: str) -> tuple[int, int | None]:
    least, most = schema.get(low, 0), schema.get(high)
    if most is not None and most < least:
        raise UnsupportedSchema(f"{path}: {low} {least} is above {high} {most}")
    return least, most


def _refuse_unknown(schema: Mapping[str, Any], known: set[str], path: str) -> None:
    unknown = set(schema) - known - _ANNOTATIONS
    if unknown:
        raise UnsupportedSchema(f"{path}: {', '.join(sorted(unknown))} is not supported by the embedded backbone")


def _literal(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
