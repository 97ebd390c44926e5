"""Asking again after a failure that may pass: bounded, spaced out at random, and as late as the server asks."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import tenacity

from amem.lm.types import ModelFailure

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """`attempts` in all. Waits double from `first_wait` to `longest_wait` seconds, each times a random share.

    A server's Retry-After is waited for in full; one beyond `longest_retry_after` ends the attempts at once, since the
    run had better go on than sleep an hour.
    """

    attempts: int = 6
    first_wait: float = 1.0
    longest_wait: float = 60.0
    longest_retry_after: float = 120.0

    def run(self, send: Callable[[], T], sleep: Callable[[float], None] = time.sleep) -> T:
        """The first success of `send`, or its last ModelFailure."""
        retrying = tenacity.Retrying(
            stop=tenacity.stop_after_attempt(self.attempts),
            retry=tenacity.retry_if_exception(self._may_pass),
            wait=self._wait,
            sleep=sleep,
            reraise=True,
        )
        return retrying(send)

    def _may_pass(self, error: BaseException) -> bool:
        if not isinstance(error, ModelFailure) or not error.kind.transient:
            return False
        return error.retry_after is None or error.retry_after <= self.longest_retry_after

    def _wait(self, state: tenacity.RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.retry_after if isinstance(error, ModelFailure) else None
        backoff = min(self.longest_wait, self.first_wait * 2 ** (state.attempt_number - 1))
        jittered = backoff * random.uniform(0.5, 1.0)
        # Some jitter on top of Retry-After, else all that were turned away come back in the same instant.
        return jittered if asked is None else asked + min(jittered, 1.0)
