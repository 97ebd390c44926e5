"""One request → one raw outcome: record store, budget, retry, truncation guard and provider, in this order."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from amem.lm import outcomes
from amem.lm.budget import Budget, Prices
from amem.lm.keys import key_of, request_json
from amem.lm.limits import check_fits, check_whole, prompt_tokens
from amem.lm.outcomes import Outcome
from amem.lm.records import RecordStore
from amem.lm.retry import RetryPolicy
from amem.lm.types import FailureKind, ModelFailure, Provider, Reply, Request, Usage


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a request, and how."""

    key: str
    outcome: Outcome
    attempts: int = 0
    """How often the provider was asked, retries included."""
    from_records: bool = False

    @property
    def usage(self) -> Usage:
        if isinstance(self.outcome, Reply):
            return self.outcome.usage
        # A cut prompt was paid for; the other failures carry no counts.
        paid = self.outcome.details if self.outcome.kind is FailureKind.TRUNCATED_PROMPT else {}
        return Usage(*(int(paid.get(name, 0)) for name in ("prompt_tokens", "completion_tokens", "cached_tokens")))

    @property
    def seconds(self) -> float:
        if isinstance(self.outcome, Reply):
            return self.outcome.seconds
        return float(self.outcome.details.get("seconds", 0.0))


class Asker:
    """Thread-safe. No more than `concurrency` requests are with the provider at once."""

    def __init__(
        self,
        provider: Provider,
        *,
        store: RecordStore,
        budget: Budget,
        prices: Prices,
        retry: RetryPolicy,
        concurrency: int,
        records_only: bool,
    ) -> None:
        self._provider = provider
        self._store = store
        self._budget = budget
        self._prices = prices
        self._retry = retry
        self._records_only = records_only
        self._slots = threading.BoundedSemaphore(concurrency)
        self._stopping = threading.Event()

    def stop(self) -> None:
        """Send nothing any more and wait for no retry: whatever would be sent is a STOPPED failure."""
        self._stopping.set()

    def ask(self, request: Request) -> Answer:
        """The recorded outcome, else a new one, which is recorded. A failure is in the answer, not raised."""
        text = request_json(self._provider.identity, request)
        key = key_of(text)
        answer = self._recorded(key)
        if answer is None and self._records_only:
            answer = Answer(key, _not_recorded(key, request))
        if answer is None:
            with self._store.single_flight(key):
                answer = self._recorded(key) or self._new(key, text, request)
        if isinstance(answer.outcome, ModelFailure):
            answer.outcome.purpose = request.purpose
        return answer

    def _recorded(self, key: str) -> Answer | None:
        outcome = self._store.get(key)
        if outcome is not None and (self._records_only or outcomes.final(outcome)):
            return Answer(key, outcome, from_records=True)
        return None

    def _new(self, key: str, text: str, request: Request) -> Answer:
        tries: list[int] = []
        try:
            outcome: Outcome = self._send(request, tries)
        except ModelFailure as failure:
            outcome = failure
        if isinstance(outcome, Reply) or outcome.kind not in outcomes.UNRECORDED:
            outcome = self._store.put(key, text, request.purpose, outcome)
        return Answer(key, outcome, attempts=len(tries))

    def _send(self, request: Request, tries: list[int]) -> Reply:
        prompt = prompt_tokens(self._provider, request)
        check_fits(request, prompt, self._provider.window)
        dearest = self._prices.usd(Usage(prompt, request.sampling.max_tokens or 0))

        def send() -> Reply:
            if self._stopping.is_set():
                raise ModelFailure(FailureKind.STOPPED, "the run is being stopped; nothing more is sent")
            tries.append(1)
            return self._provider.complete(request)

        # The slot is kept while a failed attempt waits: a server that says "too many" is asked by fewer.
        with self._slots, self._budget.reserve(dearest) as costs:
            reply = self._retry.run(send, self._pause)
            costs.append(self._prices.usd(reply.usage))
        check_whole(self._provider, request, reply, prompt)
        return reply

    def _pause(self, seconds: float) -> None:
        self._stopping.wait(seconds)


def _not_recorded(key: str, request: Request) -> ModelFailure:
    return ModelFailure(
        FailureKind.NOT_RECORDED,
        f"the records hold no reply to this {request.purpose} request (key {key}), and this run may not call a model: "
        "the records belong to another configuration, data set or prompt pack, or are not complete",
        details={"key": key},
    )
