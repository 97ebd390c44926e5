"""One asker at a time for a key, among the threads of a process and the processes of a machine."""

from __future__ import annotations

import fcntl
import hashlib
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PLACES = 2**31
_LOOK_SECONDS = 0.02


class Flights:
    """`path`: a file of its own beside the record store; None: this process is alone.

    A process locks the byte of the file that a key stands for. The system frees it whatever ends the process, so a
    killed one blocks nobody. Two keys that share a byte wait for each other without need.
    """

    def __init__(self, path: Path | None) -> None:
        self._threads: dict[str, tuple[threading.Lock, int]] = {}
        self._threads_lock = threading.Lock()
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644) if path is not None else None

    @contextmanager
    def only(self, key: str) -> Iterator[None]:
        """Inside, no other thread or process is inside with the same key."""
        with self._threads_lock:
            lock, users = self._threads.get(key, (threading.Lock(), 0))
            self._threads[key] = (lock, users + 1)
        try:
            with lock, self._only_process(key):
                yield
        finally:
            with self._threads_lock:
                lock, users = self._threads.pop(key)
                if users > 1:
                    self._threads[key] = (lock, users - 1)

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    @contextmanager
    def _only_process(self, key: str) -> Iterator[None]:
        if self._file is None:
            yield
            return
        place = int.from_bytes(hashlib.sha256(key.encode()).digest()[:4], "big") % _PLACES
        # The system takes threads that wait for each other's processes for a deadlock, so nobody waits inside it.
        while not self._locked(place):
            time.sleep(_LOOK_SECONDS)
        try:
            yield
        finally:
            if self._file is not None:
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, place)

    def _locked(self, place: int) -> bool:
        if self._file is None:
            return True
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except (BlockingIOError, PermissionError):
            return False
        return True
