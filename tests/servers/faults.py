"""What can go wrong on a real server, planned call by call."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Fault:
    """One bad answer. What is None is as it would be without the fault."""

    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None
    """Sent as the whole body in place of JSON of the protocol."""
    delay: float = 0.0
    cut: bool = False
    """The connection breaks in the middle of the body."""
    text: str | None = None
    prompt_tokens: int | None = None
    """Reported in place of the true count; 0: no usage is reported at all."""
    finish_reason: str | None = None
    refusal: str | None = None


def rate_limited(retry_after: str | None = None) -> Fault:
    return Fault(status=429, headers={"Retry-After": retry_after} if retry_after else {})


def broken(status: int = 500) -> Fault:
    return Fault(status=status)


class FaultPlan:
    """A fault, or None for a good answer, for each chat call in the order of arrival; afterwards all are good."""

    def __init__(self, faults: Iterable[Fault | None] = ()) -> None:
        self._faults = iter(faults)
        self._lock = threading.Lock()

    def next(self) -> Fault:
        with self._lock:
            return next(self._faults, None) or Fault()
