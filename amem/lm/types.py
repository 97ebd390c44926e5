"""`Request` in, `Completion` out, `ModelFailure` where there is no usable reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, Protocol


@dataclass(frozen=True, slots=True)
class Message:
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Sampling:
    """Sampling parameters; None means the backbone's default, which is filled in before the request is hashed."""

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """All that can change a reply (`purpose` and `label` can't: they only mark the ledger and are not hashed)."""

    messages: tuple[Message, ...]
    purpose: str
    schema: Mapping[str, Any] | None = None
    """JSON schema of the reply, or None for free text."""
    sampling: Sampling = Sampling()
    repeat: int = 0
    """Tells repeated samples of one request apart."""
    label: str = ""
    """On whose behalf the call is made, such as a note's id."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts as the provider reports them."""

    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """What a provider returned, raw: this, and only this, is recorded."""

    text: str
    usage: Usage
    seconds: float
    finish_reason: str = "stop"
    """`stop`, `length` (cut by max_tokens), `content_filter` or what else the provider says."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What the provider says of itself: model build, fingerprint."""


@dataclass(frozen=True, slots=True)
class Completion:
    """A usable reply."""

    text: str
    parsed: Any
    """The JSON value, valid under the request's schema; None for free text."""
    usage: Usage
    seconds: float
    usd: float
    key: str
    """The content hash under which the raw reply is recorded."""
    from_records: bool
    repairs: tuple[str, ...] = ()
    """What had to be mended before the reply fitted its schema, by name."""
    facts: Mapping[str, Any] = field(default_factory=dict)


class FailureKind(StrEnum):
    CONTEXT_OVERFLOW = "context_overflow"
    TRUNCATED_PROMPT = "truncated_prompt"
    SCHEMA = "schema"
    EMPTY = "empty"
    REFUSAL = "refusal"
    RATE_LIMIT = "rate_limit"
    SERVER = "server"
    TIMEOUT = "timeout"
    BAD_REQUEST = "bad_request"
    BUDGET = "budget"
    NOT_RECORDED = "not_recorded"
    STOPPED = "stopped"
    """The run is ending (`LanguageModel.stop`); nothing was sent."""

    @property
    def transient(self) -> bool:
        """Whether asking again later may help."""
        return self in _TRANSIENT


_TRANSIENT = {FailureKind.RATE_LIMIT, FailureKind.SERVER, FailureKind.TIMEOUT}


class ModelFailure(Exception):
    """A call that gave no usable reply: a kind of its own, never an empty answer."""

    def __init__(
        self,
        kind: FailureKind,
        message: str,
        *,
        purpose: str = "",
        raw: str | None = None,
        retry_after: float | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.purpose = purpose
        self.raw = raw
        self.retry_after = retry_after
        self.details = dict(details or {})


class Provider(Protocol):
    """The short file around one model server or library. Thread-safe.

    What it may have besides: `workers` (calls it can serve at once), `truncation_share` and `count_prompt`
    (`amem.lm.limits`), `pin` and `problems` (`amem.lm.build`), `prices() -> Prices | None`.
    """

    @property
    def identity(self) -> Mapping[str, Any]:
        """What decides a reply besides the request: provider name, model id, digest, context size. Hashed."""

    @property
    def window(self) -> int:
        """Tokens that prompt and reply may fill together."""

    def count_tokens(self, text: str) -> int:
        """Tokens of `text` in the model's own tokenizer, or the nearest that is at hand."""

    def complete(self, request: Request) -> Reply:
        """One attempt; raises `ModelFailure` with its kind. `request.sampling` has no None left."""

    def close(self) -> None:
        """Free what the provider holds."""
