"""One bar over everything a run has to do: turns to take in and questions to answer, with rate, ETA and cost so far."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from types import TracebackType

from tqdm import tqdm

from amem.lm.ledger import Ledger

_TICK_SECONDS = 1.0


class Progress:
    """Writes to standard error: a live bar in a terminal, a line every half minute elsewhere. Thread-safe.

    A step is a turn taken in or a question answered; calls and cost are read off the models' ledgers.
    """

    def __init__(self, total: int, ledgers: Sequence[Ledger] = ()) -> None:
        interval = _TICK_SECONDS if sys.stderr.isatty() else 30.0
        self._bar = tqdm(total=total, unit="step", mininterval=interval, maxinterval=interval, smoothing=0.05)
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
        while not self._ended.wait(_TICK_SECONDS):
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
