"""What a worker has in place of disk, budget and bar: the hub's, by whatever carries a call there."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np

from amem.lm import outcomes
from amem.lm.ledger import Call, Ledger
from amem.lm.outcomes import Outcome
from amem.lm.types import FailureKind, ModelFailure
from eval.runner.answers import AnswerKey, answer_key

LOOK_SECONDS = 0.05
"""Between two questions whether one may go on."""
SEND_SECONDS = 0.5
"""Steps and replayed calls are told at most so often."""


class ToHub(Protocol):
    def __call__(self, method: str, *arguments: Any) -> Any:
        """What the hub's `method` returns; waits for it."""


class Held:
    """The group that this process is doing now: what is asked in its name is given back should the process be lost."""

    def __init__(self) -> None:
        self.group = ""
        self.number = 0
        """Of the attempt at the group."""


class RemoteStore:
    """In place of `RecordStore`, for a model and an embedder."""

    def __init__(self, hub: ToHub, held: Held) -> None:
        self.path = "the hub's"
        self._hub = hub
        self._held = held

    def get(self, key: str) -> Outcome | None:
        found = self._hub("get", key)
        return None if found is None else outcomes.from_json(found)

    def put(self, key: str, request: str, purpose: str, outcome: Outcome) -> Outcome:
        return outcomes.from_json(self._hub("put", key, request, purpose, outcomes.to_json(outcome)))

    @contextmanager
    def single_flight(self, key: str) -> Iterator[None]:
        attempt = self._held.group, self._held.number
        while not self._hub("enter", *attempt, key):
            time.sleep(LOOK_SECONDS)
        try:
            yield
        finally:
            self._hub("leave", *attempt, key)

    def get_vector(self, encoder: str, text_hash: str) -> np.ndarray | None:
        return self._hub("get_vector", encoder, text_hash)

    def put_vector(self, encoder: str, text_hash: str, vector: np.ndarray) -> None:
        self._hub("put_vector", encoder, text_hash, vector)

    def get_pin(self, name: str) -> str | None:
        return self._hub("get_pin", name)

    def put_pin(self, name: str, value: str) -> None:
        self._hub("put_pin", name, value)


class RemoteBudget:
    """In place of `Budget`."""

    def __init__(self, hub: ToHub, held: Held) -> None:
        self._hub = hub
        self._held = held

    @contextmanager
    def reserve(self, dearest: float) -> Iterator[list[float]]:
        group, number, name = self._held.group, self._held.number, uuid.uuid4().hex
        while (answer := self._hub("set_aside", group, number, name, dearest)) is not True:
            if answer is not False:
                raise ModelFailure(FailureKind.BUDGET, answer["message"], details=answer["details"])
            time.sleep(LOOK_SECONDS)
        costs: list[float] = []
        try:
            yield costs
        finally:
            self._hub("settle", group, name, sum(costs))


class RemoteAnswers:
    """In place of `AnswerFile`; knows the answers that were there when the group was begun."""

    def __init__(self, hub: ToHub, rows: Sequence[dict[str, Any]]) -> None:
        self._hub = hub
        self.rows = {answer_key(row): row for row in rows}

    def reusable(self, key: AnswerKey, memory: str) -> bool:
        row = self.rows.get(key)
        return row is not None and row["memory"] == memory and row["failure"] is None

    def append(self, row: dict[str, Any], recall_text: str | None) -> None:
        self._hub("append", row, recall_text)
        self.rows[answer_key(row)] = row


class Sender:
    """Gathers small news and sends them together."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sent = time.monotonic()

    def due(self) -> bool:
        with self._lock:
            if time.monotonic() - self._sent < SEND_SECONDS:
                return False
            self._sent = time.monotonic()
            return True


class RemoteProgress:
    """In place of `Progress`."""

    def __init__(self, hub: ToHub, held: Held) -> None:
        self._hub = hub
        self._held = held
        self._lock = threading.Lock()
        self._steps = 0
        self._sender = Sender()

    def step(self, count: int = 1) -> None:
        with self._lock:
            self._steps += count
        if self._sender.due():
            self.flush()

    def flush(self) -> None:
        with self._lock:
            steps, self._steps = self._steps, 0
        if steps:
            self._hub("step", self._held.group, self._held.number, steps)


class RemoteLedger(Ledger):
    """A ledger whose calls are booked with the hub too, those that were paid for at once."""

    def __init__(self, hub: ToHub, backbone: str) -> None:
        super().__init__()
        self._hub = hub
        self._backbone = backbone
        self._waiting: list[Call] = []
        self._waiting_lock = threading.Lock()
        self._sender = Sender()

    def add(self, call: Call) -> None:
        super().add(call)
        with self._waiting_lock:
            self._waiting.append(call)
        if call.attempts or self._sender.due():
            self.flush()

    def flush(self) -> None:
        with self._waiting_lock:
            calls, self._waiting = self._waiting, []
        if calls:
            self._hub("book", self._backbone, calls)
