"""Heads of prompts that were evaluated and saved to a file each, for all workers to take up."""

from __future__ import annotations

import threading
from collections import OrderedDict
from itertools import count
from pathlib import Path

MOST = 24
LARGEST = 1_536
"""In tokens; a saved one takes about 23 kB a token. Longer ones are conversations, and those don't come again."""


class SavedHeads:
    """File names by token ids; the head that was not used for longest makes room. Thread-safe.

    A file may be gone when it is read: whoever finds that evaluates the head anew.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._names: OrderedDict[tuple[int, ...], str] = OrderedDict()
        self._numbers = count()
        self._lock = threading.Lock()

    def find(self, head: list[int]) -> str | None:
        with self._lock:
            key = tuple(head)
            if key in self._names:
                self._names.move_to_end(key)
            return self._names.get(key)

    def new_name(self) -> str:
        """Never used before, so that a file is never written while it is read."""
        with self._lock:
            return str(next(self._numbers))

    def add(self, head: list[int], name: str) -> None:
        with self._lock:
            gone = [self._names.pop(tuple(head), None)]
            self._names[tuple(head)] = name
            if len(self._names) > MOST:
                gone.append(self._names.popitem(last=False)[1])
        for old in filter(None, gone):
            (self.folder / old).unlink(missing_ok=True)
