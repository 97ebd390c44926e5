"""Whether a recalled text was cut to fit the window: its score is then the window's as much as the method's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_SIGNS = ("context_truncated", "pages_left_out_for_room", "pages_closed_for_room")
"""Counts in the traces of full context and plain retrieval, and of ReadAgent."""


def was_cut(recall: Mapping[str, Any] | None) -> bool:
    """`recall` as answers.jsonl has it."""
    counts = recall["trace"].get("counts", {}) if recall else {}
    return any(counts.get(sign) for sign in _SIGNS)
