"""Bars on standard error, with rate and ETA; a run's counts turns taken in, questions answered, and the cost so far."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from types import TracebackType

from tqdm import tqdm

from amem.lm.ledger import Ledger

TICK_SECONDS = 1.0


def bar(total: int, unit: str, *, initial: int = 0, smoothing: float = 0.05) -> tqdm:
    """Live in a terminal, a line every half minute elsewhere; `update(0)` moves its clock."""
    interval = TICK_SECONDS if sys.stderr.isatty() else 30.0
    return tqdm(
        total=total, unit=unit, initial=initial, mininterval=interval, maxinterval=interval, smoothing=smoothing
    )


class Progress:
    """One bar over everything that a run has to do. Thread-safe.

    A step is a turn taken in or a question answered; calls and cost are read off the models' ledgers.
    """

    def __init__(self, total: int, ledgers: Sequence[Ledger] = ()) -> None:
        self._bar = bar(total, "step")
        self._ledgers = ledgers
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._ticker = threading.Thread(target=self._tick, name="progress", daemon=True)

    def step(self, count: int = 1) -> None:
        with self._lock:
            self._bar.update(count)

    def __enter__(self) -> Progress:
        self._ticker.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._ticker.join()
        with self._lock:
            self._bar.set_postfix_str(self._so_far())
            self._bar.close()

    def _tick(self) -> None:
        # A step may take minutes of calls; the bar must move with the calls.
        while not self._ended.wait(TICK_SECONDS):
            with self._lock:
                self._bar.set_postfix_str(self._so_far(), refresh=False)
                self._bar.update(0)

    def _so_far(self) -> str:
        sums = [total for ledger in self._ledgers for total in ledger.by_purpose().values()]
        replayed = sum(total.from_records for total in sums)
        made = sum(total.made for total in sums)
        unusable = sum(sum(total.failures.values()) for total in sums)
        note = f"{made} calls, {replayed} from records, ${sum(total.usd_now for total in sums):.4f}"
        return note + (f", {unusable} unusable" if unusable else "")
