"""A prompt pack's JSON schema in the subset that OpenAI's strict structured output accepts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from amem.errors import PromptPackError

_DROPPED = frozenset(
    {
        "$schema", "$id", "title", "default", "examples", "minLength", "maxLength", "uniqueItems", "contains",
        "minContains", "maxContains", "minProperties", "maxProperties", "propertyNames",
    }
)  # fmt: skip
"""Keywords that the API refuses and that only narrow a value; the reply is held against the full schema anyway."""
_IMPOSSIBLE = frozenset({"allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "patternProperties"})


def strict(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Every object closed, every property required; raises PromptPackError where that would change the meaning."""
    if schema.get("type") != "object":
        raise PromptPackError("a schema for strict structured output must be an object at its root")
    return _strict(schema, "$")


def _strict(schema: Mapping[str, Any], place: str) -> dict[str, Any]:
    impossible = sorted(_IMPOSSIBLE & set(schema))
    if impossible:
        raise PromptPackError(f"schema at {place}: strict structured output knows no {', '.join(impossible)}")
    found = {name: _part(name, value, place) for name, value in schema.items() if name not in _DROPPED}
    if schema.get("type") == "object":
        _close(found, place)
    return found


def _part(name: str, value: Any, place: str) -> Any:
    if name in ("properties", "$defs"):
        return {key: _strict(part, f"{place}.{key}") for key, part in value.items()}
    if name == "items":
        return _strict(value, f"{place}[]")
    if name == "anyOf":
        return [_strict(part, f"{place}|{number}") for number, part in enumerate(value)]
    return value


def _close(schema: dict[str, Any], place: str) -> None:
    if schema.setdefault("additionalProperties", False) is not False:
        raise PromptPackError(f"schema at {place}: strict structured output needs additionalProperties: false")
    optional = sorted(set(schema.get("properties", {})) - set(schema.get("required", ())))
    if optional:
        raise PromptPackError(
            f"schema at {place}: strict structured output needs every property required, these are optional: "
            f"{', '.join(optional)} (require them and let them be null)"
        )
