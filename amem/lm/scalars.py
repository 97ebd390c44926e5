"""Scalars of a wrong type that say the same: "3" for 3, "true" for true, 7 for "7"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_INTEGER = re.compile(r"\s*[+-]?\d{1,18}\s*")
_NUMBER = re.compile(r"\s*[+-]?\d{1,18}(\.\d{1,18})?([eE][+-]?\d{1,2})?\s*")
_BOOLEANS = {"true": True, "false": False}


def coerce(value: Any, schema: Any) -> Any:
    """A copy of `value` with scalars turned to the type that the schema names, where that loses nothing."""
    if not isinstance(schema, Mapping):
        return value
    if isinstance(value, dict):
        properties = schema.get("properties")
        known = properties if isinstance(properties, Mapping) else {}
        return {key: coerce(item, known.get(key, {})) for key, item in value.items()}
    if isinstance(value, list):
        return [coerce(item, schema.get("items", {})) for item in value]
    return _scalar(value, schema.get("type"))


def _scalar(value: Any, wanted: Any) -> Any:
    if not isinstance(wanted, str):
        return value
    if wanted == "string" and isinstance(value, bool | int | float):
        return str(value).lower() if isinstance(value, bool) else str(value)
    if isinstance(value, str):
        return _from_text(value, wanted)
    return value


def _from_text(text: str, wanted: str) -> Any:
    if wanted == "boolean":
        return _BOOLEANS.get(text.strip().lower(), text)
    if wanted in ("integer", "number") and _INTEGER.fullmatch(text):
        return int(text)
    if wanted == "number" and _NUMBER.fullmatch(text):
        return float(text)
    return text
