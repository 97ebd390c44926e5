"""What a call came to, a reply or a failure, as JSON and back."""

from __future__ import annotations

import json
from typing import Any

from amem.lm.keys import canonical_json
from amem.lm.types import FailureKind, ModelFailure, Reply, Usage

Outcome = Reply | ModelFailure

PERMANENT = frozenset({FailureKind.TRUNCATED_PROMPT, FailureKind.REFUSAL, FailureKind.BAD_REQUEST})
"""Failures that asking again would only repeat: a recorded one is served instead of being asked again. The others are
asked again by a run that may call the model, and served to a run that may not."""

UNRECORDED = frozenset({FailureKind.BUDGET, FailureKind.NOT_RECORDED, FailureKind.STOPPED})
"""Failures that say nothing of the model: nothing was sent. They are neither recorded nor booked."""


def final(outcome: Outcome) -> bool:
    """Whether a recorded outcome stands for good."""
    return isinstance(outcome, Reply) or outcome.kind in PERMANENT


def to_json(outcome: Outcome) -> str:
    if isinstance(outcome, ModelFailure):
        return canonical_json(
            {
                "failure": {
                    "kind": outcome.kind.value,
                    "message": str(outcome),
                    "raw": outcome.raw,
                    "details": outcome.details,
                }
            }
        )
    usage = outcome.usage
    return canonical_json(
        {
            "reply": {
                "text": outcome.text,
                "usage": {
                    "prompt_tokens": usage.prompt_tokens,
                    "completion_tokens": usage.completion_tokens,
                    "cached_tokens": usage.cached_tokens,
                },
                "seconds": outcome.seconds,
                "finish_reason": outcome.finish_reason,
                "facts": dict(outcome.facts),
            }
        }
    )


def from_json(text: str) -> Outcome:
    """Raises ValueError, KeyError or TypeError where `text` is not what `to_json` wrote."""
    value: dict[str, Any] = json.loads(text)
    if "failure" in value:
        failure = value["failure"]
        return ModelFailure(
            FailureKind(failure["kind"]), failure["message"], raw=failure["raw"], details=failure["details"]
        )
    reply = value["reply"]
    return Reply(reply["text"], Usage(**reply["usage"]), reply["seconds"], reply["finish_reason"], reply["facts"])
