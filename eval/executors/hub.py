"""The one place of a run on many machines that has a disk: records, budget, answers, memories, progress, ledger.

Workers keep nothing, so any of them may be lost. Whatever a worker asks is answered at once and no call waits inside:
where it has to wait for another worker, the worker asks again (`eval.executors.remote`).
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from amem.errors import HarnessError
from amem.lm import outcomes
from amem.lm.budget import Budget
from amem.lm.ledger import Call, Ledger, Totals
from amem.lm.records import RecordStore
from amem.lm.types import ModelFailure
from eval.runner.answers import AnswerFile, AnswerKey
from eval.runner.files import write_bytes

Group = str
"""Name of a group of units that one worker does."""


@dataclass(slots=True)
class _Attempt:
    """What the present attempt at a group holds, to be given back should its worker be lost."""

    number: int
    steps: int = 0
    flights: set[str] = field(default_factory=set)
    set_aside: dict[str, float] = field(default_factory=dict)


class Hub:
    """Thread-safe. Arguments and results are plain values, so that they travel."""

    def __init__(self, folder: str, records: str, usd: float | None) -> None:
        self._folder = Path(folder)
        self._store = RecordStore(records)
        self._budget = Budget(usd)
        self._answers = AnswerFile(self._folder)
        self._lock = threading.Lock()
        self._attempts: dict[Group, _Attempt] = {}
        self._flights: dict[str, Group] = {}
        self._ledgers: dict[str, Ledger] = {}
        self._begun: Counter[Group] = Counter()

    def begin(self, group: Group, of: dict[str, Any]) -> tuple[int, list[dict[str, Any]]]:
        """A worker takes a group on; what an earlier, lost one held is given back. Returns the number of the attempt,
        and the answers there are whose fields have the values `of`.

        Money that a lost worker had set aside counts as spent: whether its call was made, nobody knows. A worker that
        was taken for lost and still runs gets no leave for a further call; what it still hands in is kept.
        """
        with self._lock:
            lost = self._attempts.get(group)
            self._begun[group] += 1
            self._attempts[group] = _Attempt(self._begun[group])
            for key in lost.flights if lost else ():
                self._flights.pop(key, None)
        for dearest in lost.set_aside.values() if lost else ():
            self._budget.settle(dearest, dearest)
        rows = [row for row in list(self._answers.rows.values()) if all(row[k] == v for k, v in of.items())]
        return self._begun[group], rows

    def begun(self) -> dict[Group, int]:
        """How often each group was begun: more than once where a worker was lost."""
        return dict(self._begun)

    def get(self, key: str) -> str | None:
        outcome = self._store.get(key)
        return None if outcome is None else outcomes.to_json(outcome)

    def put(self, key: str, request: str, purpose: str, outcome: str) -> str:
        return outcomes.to_json(self._store.put(key, request, purpose, outcomes.from_json(outcome)))

    def get_vector(self, encoder: str, text_hash: str) -> np.ndarray | None:
        return self._store.get_vector(encoder, text_hash)

    def put_vector(self, encoder: str, text_hash: str, vector: np.ndarray) -> None:
        self._store.put_vector(encoder, text_hash, vector)

    def get_pin(self, name: str) -> str | None:
        return self._store.get_pin(name)

    def put_pin(self, name: str, value: str) -> None:
        self._store.put_pin(name, value)

    def enter(self, group: Group, number: int, key: str) -> bool:
        """Whether attempt `number` may ask for `key` now; False while another group does. Raises HarnessError where the
        attempt was taken for lost."""
        with self._lock:
            flights = self._present(group, number).flights
            if self._flights.setdefault(key, group) != group or key in flights:
                return False
            flights.add(key)
            return True

    def leave(self, group: Group, number: int, key: str) -> None:
        with self._lock:
            if number == self._attempts[group].number:
                self._attempts[group].flights.discard(key)
                if self._flights.get(key) == group:
                    del self._flights[key]

    def set_aside(self, group: Group, number: int, id: str, dearest: float) -> bool | dict[str, Any]:
        """Whether the sum was set aside under `id`; False while calls in flight hold too much; a dictionary that words
        the failure where the budget will never suffice. Raises HarnessError where the attempt was taken for lost."""
        with self._lock:
            self._present(group, number)
        try:
            if not self._budget.try_set_aside(dearest):
                return False
        except ModelFailure as failure:
            return {"message": str(failure), "details": failure.details}
        with self._lock:
            if number == self._attempts[group].number:
                self._attempts[group].set_aside[id] = dearest
                return True
        self._budget.settle(dearest, 0.0)
        raise _taken_for_lost(group)

    def settle(self, group: Group, id: str, cost: float) -> None:
        with self._lock:
            dearest = self._attempts[group].set_aside.pop(id, None)
        if dearest is not None:
            self._budget.settle(dearest, cost)

    def append(self, row: dict[str, Any], recall_text: str | None) -> None:
        self._answers.append(row, recall_text)

    def memory(self, name: str) -> dict[str, bytes]:
        """The files of a memory by suffix; empty where there is none yet. `name`: path below `memory/`."""
        path = self._memory_path(name)
        found = {suffix: path.with_name(path.name + suffix) for suffix in (".npz", ".json")}
        return {suffix: file.read_bytes() for suffix, file in found.items() if file.exists()}

    def keep_memory(self, name: str, files: dict[str, bytes]) -> None:
        """The JSON comes last, as `save_memory` has it: a memory whose JSON is there is whole."""
        path = self._memory_path(name)
        for suffix in (".npz", ".json"):
            write_bytes(path.with_name(path.name + suffix), files[suffix])

    def step(self, group: Group, number: int, count: int) -> None:
        with self._lock:
            if number == self._attempts[group].number:
                self._attempts[group].steps += count

    def book(self, backbone: str, calls: Sequence[Call]) -> None:
        for call in calls:
            self._ledgers.setdefault(backbone, Ledger()).add(call)

    def so_far(self) -> tuple[int, dict[str, dict[str, Totals]]]:
        """Steps done, and the sums of every backbone's ledger."""
        with self._lock:
            steps = sum(attempt.steps for attempt in self._attempts.values())
        return steps, {name: ledger.by_purpose() for name, ledger in list(self._ledgers.items())}

    def finish(self, order: Iterable[AnswerKey]) -> int:
        return len(self._answers.finish(tuple(key) for key in order))  # type: ignore[misc]

    def close(self) -> None:
        self._store.close()

    def _present(self, group: Group, number: int) -> _Attempt:
        attempt = self._attempts[group]
        if number != attempt.number:
            raise _taken_for_lost(group)
        return attempt

    def _memory_path(self, name: str) -> Path:
        path = (self._folder / "memory" / name).resolve()
        if not path.is_relative_to((self._folder / "memory").resolve()):
            raise HarnessError(f"memory {name!r} lies outside of the run's folder")
        return path


def _taken_for_lost(group: Group) -> HarnessError:
    return HarnessError(f"{group}: this worker was taken for lost, and another one does its work")
