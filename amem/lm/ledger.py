"""Every call is a line of the ledger, whoever paid for it and whenever."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Call:
    """One message to a model and what came back; a reply that was asked for again is two calls."""

    purpose: str
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int
    seconds: float
    """Wall time that the provider took when the reply was made."""
    usd: float
    key: str
    from_records: bool
    failure: str | None = None
    """The failure's kind where nothing usable came of the request."""
    repairs: tuple[str, ...] = ()
    """What was mended, by name; `asked_again`: the reply was dropped and a second one asked for;
    `filled_length_limit`: a string is as long as the schema allows."""
    attempts: int = 0
    """How often the provider was asked now, retries included; 0: the reply is from the records, or nothing was sent."""
    label: str = ""
    """The request's: on whose behalf it was made."""


@dataclass(slots=True)
class Totals:
    """Sums over calls."""

    calls: int = 0
    from_records: int = 0
    made: int = 0
    """Calls that reached the provider in this process."""
    retries: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    seconds: float = 0.0
    usd: float = 0.0
    """What the calls cost when they were made."""
    usd_now: float = 0.0
    """The part of `usd` that was spent by this process."""
    failures: Counter[str] = field(default_factory=Counter)
    repairs: Counter[str] = field(default_factory=Counter)

    def add(self, call: Call) -> None:
        self.calls += 1
        self.from_records += call.from_records
        self.made += call.attempts > 0
        self.retries += max(0, call.attempts - 1)
        self.prompt_tokens += call.prompt_tokens
        self.completion_tokens += call.completion_tokens
        self.cached_tokens += call.cached_tokens
        self.seconds += call.seconds
        self.usd += call.usd
        self.usd_now += call.usd if call.attempts else 0.0
        self.failures.update([call.failure] if call.failure else [])
        self.repairs.update(call.repairs)


def totals(calls: Iterable[Call]) -> dict[str, Totals]:
    """Sums by purpose, in the order of purposes' names."""
    found: dict[str, Totals] = {}
    for call in calls:
        found.setdefault(call.purpose, Totals()).add(call)
    return dict(sorted(found.items()))


class Ledger:
    """Running sums of everything that one model was asked. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._totals: dict[str, Totals] = {}

    def add(self, call: Call) -> None:
        with self._lock:
            self._totals.setdefault(call.purpose, Totals()).add(call)
        report(call)

    def by_purpose(self) -> dict[str, Totals]:
        with self._lock:
            return dict(sorted(self._totals.items()))


_sinks: ContextVar[tuple[list[Call], ...]] = ContextVar("amem_ledger_sinks", default=())


def report(call: Call) -> None:
    """Hand a call to every `collecting` block around the caller."""
    for sink in _sinks.get():
        sink.append(call)


@contextmanager
def collecting() -> Iterator[list[Call]]:
    """Gather the calls made in this context, in the order of the requests; blocks may be nested."""
    calls: list[Call] = []
    token = _sinks.set((*_sinks.get(), calls))
    try:
        yield calls
    finally:
        _sinks.reset(token)


@contextmanager
def set_apart() -> Iterator[list[Call]]:
    """Gather calls and keep them from the blocks around: threads report in one order, whoever finishes first."""
    calls: list[Call] = []
    token = _sinks.set((calls,))
    try:
        yield calls
    finally:
        _sinks.reset(token)
