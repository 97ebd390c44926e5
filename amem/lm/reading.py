"""From a raw reply to what the caller may use, or to the failure that it is. A pure function: replay repeats it."""

from __future__ import annotations

from dataclasses import replace

from amem.lm.structured import Parsed, SchemaError, fills_a_limit, parse
from amem.lm.types import FailureKind, Message, ModelFailure, Reply, Request

CUT = "cut_by_max_tokens"
"""Repair name of free text that ended at max_tokens: it is used as it stands, and counted."""
FILLED = "filled_length_limit"
"""Mark in the ledger of a reply with a string as long as its schema allows: nothing is mended, but it may be cut."""


def read(request: Request, reply: Reply) -> Parsed:
    """Raises ModelFailure(REFUSAL, EMPTY or SCHEMA), each with the raw text."""
    if reply.finish_reason == "content_filter":
        raise _failure(request, reply, FailureKind.REFUSAL, "the provider's content filter stopped the reply")
    if not reply.text.strip():
        raise _failure(request, reply, FailureKind.EMPTY, f"the reply is empty{_cut(request, reply)}")
    if request.schema is None:
        return Parsed(None, (CUT,) if reply.finish_reason == "length" else ())
    try:
        return parse(reply.text, request.schema)
    except SchemaError as error:
        message = f"the reply does not fit its schema{_cut(request, reply)}: {error}"
        raise _failure(request, reply, FailureKind.SCHEMA, message) from error


def marks(request: Request, parsed: Parsed) -> tuple[str, ...]:
    """What the ledger says of a usable reply: its repairs, and whether it fills a length limit."""
    filled = request.schema is not None and fills_a_limit(parsed.value, request.schema)
    return (*parsed.repairs, FILLED) if filled else parsed.repairs


def ask_again(request: Request, reply: Reply, wording: str) -> Request:
    """The same request with the unusable reply and what is wrong with it appended."""
    appended = (Message("assistant", reply.text), Message("user", wording))
    return replace(request, messages=request.messages + appended)


def _cut(request: Request, reply: Reply) -> str:
    return f" (it was cut after {request.sampling.max_tokens} tokens)" if reply.finish_reason == "length" else ""


def _failure(request: Request, reply: Reply, kind: FailureKind, message: str) -> ModelFailure:
    details = {"finish_reason": reply.finish_reason}
    return ModelFailure(kind, message, purpose=request.purpose, raw=reply.text, details=details)
