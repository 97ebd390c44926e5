"""Keys are read from the environment, sent to the server that they belong to, and appear nowhere else."""

from __future__ import annotations

import os
import re

_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)
_SHORTEST = 8
"""Shorter values are switches and numbers; removing them would garble messages."""
_SHAPES = (
    re.compile(r"(?<=[?&](?:key|sig|api))=[^&\s\"']+|(?<=[?&]api-key)=[^&\s\"']+", re.IGNORECASE),
    re.compile(r"\b(?:sk|pk|hf|gsk|xai)[-_][A-Za-z0-9*_-]{6,}"),
    re.compile(r"(?<=Bearer )\S+", re.IGNORECASE),
    re.compile(r"(?<=://)[^/\s@]+(?=@)"),
)
REMOVED = "[removed]"


def scrub(text: str) -> str:
    """`text` without the values of secret environment variables, and without what is shaped like a key."""
    text = without_values(text)
    for shape in _SHAPES:
        text = shape.sub(REMOVED, text)
    return text


def without_values(text: str, *more: str) -> str:
    """`text` without the values of secret environment variables, and without those of `more`."""
    for value in sorted(_values().union(more), key=len, reverse=True):
        text = text.replace(value, REMOVED)
    return text


def _values() -> set[str]:
    return {value for name, value in os.environ.items() if _SECRET_NAME.search(name) and len(value) >= _SHORTEST}
