"""LiteLLM's exceptions → the kinds of failure that this project tells apart."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Mapping
from typing import Any

from amem.errors import ConfigurationError
from amem.lm.secrets import scrub
from amem.lm.types import FailureKind, ModelFailure

_CONTEXT_MARKS = (
    "context_length_exceeded",
    "maximum context length",
    "context length exceeded",
    "exceeds the available context",
)
_REFUSAL_MARKS = ("content_filter", "content_policy", "content filter", "content management policy")
_QUOTA_MARKS = ("insufficient_quota", "exceeded your current quota", "billing")


def translated(error: Exception, model: str) -> ModelFailure | ConfigurationError:
    """A failure of this call, or what the user must put right before any call can succeed."""
    text = scrub(_first_line(error))
    status = getattr(error, "status_code", None)
    wrong_setup = _wrong_setup(error, status, text, model)
    if wrong_setup is not None:
        return ConfigurationError(wrong_setup)
    kind = _kind(error, status, f"{text} {getattr(error, 'code', '')}".lower())
    return ModelFailure(kind, text, retry_after=retry_after(_headers(error)), details={"status": status})


def _wrong_setup(error: Exception, status: Any, text: str, model: str) -> str | None:
    if type(error).__name__ == "UnsupportedParamsError":
        return f"{model} does not take a parameter that is sent; list it in settings.omit ({text})"
    # A client that was given no key says so before it asks anybody; LiteLLM makes a server's error of that.
    if status in (401, 403) or "missing credentials" in text.lower():
        return f"{model}: the server refuses the key, or there is none; set it in the environment ({text})"
    if status == 404:
        return f"{model}: the server knows no such model or address ({text})"
    if status == 429 and any(mark in text.lower() for mark in _QUOTA_MARKS):
        return f"{model}: the account has no credit left; all replies so far are recorded ({text})"
    return None


def _kind(error: Exception, status: Any, text: str) -> FailureKind:
    name = type(error).__name__
    if name == "ContextWindowExceededError" or any(mark in text for mark in _CONTEXT_MARKS):
        return FailureKind.CONTEXT_OVERFLOW
    if name == "ContentPolicyViolationError" or any(mark in text for mark in _REFUSAL_MARKS):
        return FailureKind.REFUSAL
    if name in ("Timeout", "APITimeoutError") or status == 408:
        return FailureKind.TIMEOUT
    if status == 429:
        return FailureKind.RATE_LIMIT
    if isinstance(status, int) and 400 <= status < 500 and status not in (409, 425):
        return FailureKind.BAD_REQUEST
    # Cut connections and bodies that are no JSON come without a status, or with LiteLLM's 500.
    return FailureKind.SERVER


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that a Retry-After header asks for, written as seconds, milliseconds (OpenAI) or a date."""
    found = {name.lower(): value for name, value in headers.items()}
    try:
        if "retry-after-ms" in found:
            return max(0.0, float(found["retry-after-ms"]) / 1000)
        if "retry-after" in found:
            return max(0.0, float(found["retry-after"]))
    except ValueError:
        date = email.utils.parsedate_tz(found.get("retry-after", ""))
        return max(0.0, email.utils.mktime_tz(date) - time.time()) if date else None
    return None


def _headers(error: Exception) -> Mapping[str, str]:
    # LiteLLM keeps the server's headers in one place for OpenAI and in another for Ollama.
    own = getattr(error, "litellm_response_headers", None)
    return own or getattr(getattr(error, "response", None), "headers", None) or {}


def _first_line(error: Exception) -> str:
    # LiteLLM appends a traceback to some messages.
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:500]
