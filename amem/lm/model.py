"""A provider with everything around it that makes its replies safe to build on.

From the outside in: schema check with one repair and one more question, record store, budget, retry, truncation guard,
provider. What is recorded is the raw reply; everything outside the store is computed from it again on replay.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import fields, replace
from typing import Any, NamedTuple, Protocol

from amem.errors import ConfigurationError
from amem.lm import ledger, outcomes
from amem.lm.budget import Budget, Prices
from amem.lm.keys import key_of, request_json
from amem.lm.ledger import Call, Ledger
from amem.lm.limits import check_fits, check_whole, prompt_tokens
from amem.lm.outcomes import Outcome
from amem.lm.reading import ask_again, read
from amem.lm.records import RecordStore
from amem.lm.retry import RetryPolicy
from amem.lm.types import Completion, FailureKind, ModelFailure, Provider, Reply, Request, Sampling, Usage


class _Answer(NamedTuple):
    key: str
    reply: Reply
    from_records: bool


class CallListener(Protocol):
    def __call__(self, *, usd: float, from_records: bool, failed: bool) -> None: ...


class LanguageModel:
    """Thread-safe. `sampling` are the backbone's defaults, without None; a request's own values win over them.

    `reask` words what is sent after a reply that does not fit its schema, from the error (a prompt pack's part);
    without it no second question is asked. With `records_only` nothing is ever sent.
    """

    def __init__(
        self,
        provider: Provider,
        *,
        sampling: Sampling,
        store: RecordStore | None = None,
        budget: Budget | None = None,
        prices: Prices | None = None,
        retry: RetryPolicy | None = None,
        concurrency: int = 1,
        reask: Callable[[str], str] | None = None,
        records_only: bool = False,
    ) -> None:
        missing = [f.name for f in fields(Sampling) if getattr(sampling, f.name) is None]
        if missing:
            raise ConfigurationError(f"the backbone's sampling defaults lack {', '.join(missing)}")
        self.ledger = Ledger()
        self.concurrency = concurrency
        self.on_call: CallListener | None = None
        """Told of every call as it ends, from the thread that made it (progress bars)."""
        self._provider = provider
        self._sampling = sampling
        self._store = store if store is not None else RecordStore(":memory:")
        self._budget = budget or Budget()
        self._prices = prices or Prices()
        self._retry = retry or RetryPolicy()
        self._reask = reask
        self._records_only = records_only
        self._slots = threading.BoundedSemaphore(concurrency)
        self._pool = ThreadPoolExecutor(concurrency, thread_name_prefix="amem-lm")

    @property
    def identity(self) -> Mapping[str, Any]:
        """What decides a reply besides the request; part of every record's key."""
        return self._provider.identity

    @property
    def window(self) -> int:
        """Tokens that prompt and reply may fill together."""
        return self._provider.window

    def count_tokens(self, text: str) -> int:
        """Tokens of `text` in the backbone's tokenizer, or the nearest that is at hand."""
        return self._provider.count_tokens(text)

    def count_prompt(self, request: Request) -> int:
        """Tokens of a whole prompt as the truncation guard counts them, chat template included."""
        return prompt_tokens(self._provider, request)

    def filled(self, request: Request) -> Request:
        """The request with the backbone's sampling defaults in place: what is hashed and sent."""
        own = {f.name: getattr(request.sampling, f.name) for f in fields(Sampling)}
        given = {name: value for name, value in own.items() if value is not None and value != ()}
        return replace(request, sampling=replace(self._sampling, **given))

    def complete(self, request: Request) -> Completion:
        """One usable reply; raises ModelFailure."""
        return self._complete(self.filled(request), self._reask)

    def complete_many(self, requests: Sequence[Request]) -> list[Completion | ModelFailure]:
        """In the order of `requests`, side by side up to the backbone's limit."""
        if self.concurrency == 1 or len(requests) < 2:
            return [self._attempt(request) for request in requests]
        futures = [self._pool.submit(copy_context().run, self._apart, request) for request in requests]
        try:
            results = [future.result() for future in futures]
        finally:
            for future in futures:
                future.cancel()
        for _, calls in results:
            for call in calls:
                ledger.report(call)
        return [result for result, _ in results]

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._provider.close()

    def __enter__(self) -> LanguageModel:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _apart(self, request: Request) -> tuple[Completion | ModelFailure, list[Call]]:
        with ledger.set_apart() as calls:
            return self._attempt(request), calls

    def _attempt(self, request: Request) -> Completion | ModelFailure:
        try:
            return self.complete(request)
        except ModelFailure as failure:
            return failure

    def _complete(self, request: Request, reask: Callable[[str], str] | None) -> Completion:
        answer = self._ask(request)
        try:
            parsed = read(request, answer.reply)
        except ModelFailure as failure:
            if failure.kind is not FailureKind.SCHEMA or reask is None:
                self._enter(request, answer, failure=failure.kind)
                raise
            self._enter(request, answer, repairs=("asked_again",))
            return self._second_chance(request, answer, failure, reask)
        usd = self._enter(request, answer, repairs=parsed.repairs)
        reply = answer.reply
        return Completion(
            reply.text, parsed.value, reply.usage, reply.seconds, usd, answer.key, answer.from_records, parsed.repairs,
            reply.facts,
        )  # fmt: skip

    def _second_chance(
        self, request: Request, answer: _Answer, failure: ModelFailure, reask: Callable[[str], str]
    ) -> Completion:
        try:
            completion = self._complete(ask_again(request, answer.reply, reask(str(failure))), None)
        except ModelFailure as second:
            # No room to ask again is no news about the model; what stands is that its reply was unusable.
            raise failure if second.kind is FailureKind.CONTEXT_OVERFLOW else second from None
        return replace(completion, repairs=("asked_again", *completion.repairs))

    def _ask(self, request: Request) -> _Answer:
        text = request_json(self.identity, request)
        key = key_of(text)
        outcome = self._recorded(key)
        from_records = outcome is not None
        if outcome is None:
            outcome, from_records = self._fly(key, text, request)
        if isinstance(outcome, Reply):
            return _Answer(key, outcome, from_records)
        outcome.purpose = request.purpose
        self._enter_failure(key, outcome, from_records)
        raise outcome

    def _recorded(self, key: str) -> Outcome | None:
        outcome = self._store.get(key)
        if outcome is not None and (self._records_only or outcomes.final(outcome)):
            return outcome
        return None

    def _fly(self, key: str, text: str, request: Request) -> tuple[Outcome, bool]:
        if self._records_only:
            return _not_recorded(key, request), False
        with self._store.single_flight(key):
            landed = self._recorded(key)
            if landed is not None:
                return landed, True
            try:
                outcome: Outcome = self._send(request)
            except ModelFailure as failure:
                outcome = failure
            if isinstance(outcome, ModelFailure) and outcome.kind in outcomes.UNRECORDED:
                return outcome, False
            return self._store.put(key, text, request.purpose, outcome), False

    def _send(self, request: Request) -> Reply:
        prompt = prompt_tokens(self._provider, request)
        check_fits(request, prompt, self.window)
        dearest = self._prices.usd(Usage(prompt, request.sampling.max_tokens or 0))
        # The slot is kept while a failed attempt waits: a server that says "too many" is asked by fewer.
        with self._slots, self._budget.reserve(dearest) as costs:
            reply = self._retry.run(lambda: self._provider.complete(request))
            costs.append(self._prices.usd(reply.usage))
        check_whole(self._provider, request, reply, prompt)
        return reply

    def _enter(
        self, request: Request, answer: _Answer, *, failure: str | None = None, repairs: tuple[str, ...] = ()
    ) -> float:
        reply = answer.reply
        return self._book(
            request.purpose, reply.usage, reply.seconds, answer.key, answer.from_records, failure, repairs
        )

    def _enter_failure(self, key: str, failure: ModelFailure, from_records: bool) -> None:
        # A cut prompt was paid for; the other failures carry no counts.
        paid = failure.details if failure.kind is FailureKind.TRUNCATED_PROMPT else {}
        usage = Usage(*(int(paid.get(name, 0)) for name in ("prompt_tokens", "completion_tokens", "cached_tokens")))
        self._book(failure.purpose, usage, float(paid.get("seconds", 0.0)), key, from_records, failure.kind.value)

    def _book(
        self,
        purpose: str,
        usage: Usage,
        seconds: float,
        key: str,
        from_records: bool,
        failure: str | None,
        repairs: tuple[str, ...] = (),
    ) -> float:
        usd = self._prices.usd(usage)
        tokens = (usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens)
        self.ledger.add(Call(purpose, *tokens, seconds, usd, key, from_records, failure, repairs))
        if self.on_call is not None:
            self.on_call(usd=usd, from_records=from_records, failed=failure is not None)
        return usd


def _not_recorded(key: str, request: Request) -> ModelFailure:
    return ModelFailure(
        FailureKind.NOT_RECORDED,
        f"the records hold no reply to this {request.purpose} request (key {key}), and this run may not call a model: "
        "the records belong to another configuration, data set or prompt pack, or are not complete",
        purpose=request.purpose,
        details={"key": key},
    )
