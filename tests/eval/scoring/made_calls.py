"""Calls as a run stores them, made up."""

from __future__ import annotations

from typing import Any


def call(purpose: str, prompt_tokens: int = 1, completion_tokens: int = 1) -> dict[str, Any]:
    return {
        "purpose": purpose,
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion_tokens,
        "cached_tokens": 0,
        "seconds": 0.0,
        "usd": None,
        "key": "0",
        "failure": None,
        "repairs": [],
        "label": "",
    }
