"""One bar over everything a run has to do: turns to take in and questions to answer, with rate, ETA and cost so far."""

from __future__ import annotations

import sys
import threading
from types import TracebackType

from tqdm import tqdm


class Progress:
    """Thread-safe; writes to standard error. Where that is no terminal, a line every half minute."""

    def __init__(self, total: int) -> None:
        interval = 0.2 if sys.stderr.isatty() else 30.0
        self._bar = tqdm(total=total, unit="step", mininterval=interval, maxinterval=interval, smoothing=0.05)
        self._lock = threading.Lock()
        self._calls = 0
        self._replayed = 0
        self._usd = 0.0
        self._failed = 0

    def step(self, count: int = 1) -> None:
        """`count` turns taken in or questions answered."""
        with self._lock:
            self._bar.update(count)

    def call(self, *, usd: float, from_records: bool, failed: bool) -> None:
        """One model call has ended."""
        with self._lock:
            self._calls += not from_records
            self._replayed += from_records
            self._usd += 0.0 if from_records else usd
            self._failed += failed
            note = f"{self._calls} calls, {self._replayed} from records, ${self._usd:.4f}"
            self._bar.set_postfix_str(note + (f", {self._failed} unusable" if self._failed else ""), refresh=False)
            self._bar.update(0)

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.close()
