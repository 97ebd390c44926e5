"""Which failures of a call a memory method may work around, and which must stop the work."""

from __future__ import annotations

from collections import Counter

from amem.lm.types import Completion, FailureKind, ModelFailure

UNUSABLE = frozenset(
    {
        FailureKind.SCHEMA,
        FailureKind.EMPTY,
        FailureKind.REFUSAL,
        FailureKind.CONTEXT_OVERFLOW,
        FailureKind.TRUNCATED_PROMPT,
    }
)
"""The model had its say and there is nothing to use; asking the same again gives the same. All other kinds (server,
budget, missing record) are about the day and not about the method: working around them would build a memory that
another day's run would not build."""


def usable(result: Completion | ModelFailure, counters: Counter[str]) -> Completion | None:
    """The completion, or None after counting an unusable reply as `failed:<purpose>:<kind>`; else the failure rises."""
    if isinstance(result, Completion):
        return result
    if result.kind not in UNUSABLE:
        raise result
    counters[f"failed:{result.purpose}:{result.kind.value}"] += 1
    return None
