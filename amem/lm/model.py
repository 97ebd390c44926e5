"""A provider with everything around it that makes its replies safe to build on.

From the outside in: schema check with one repair and one more question, record store, budget, retry, truncation guard,
provider. What is recorded is the raw reply; everything outside the store is computed from it again on replay.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from copy import copy
from dataclasses import fields, replace
from typing import Any

from amem.errors import ConfigurationError
from amem.lm import ledger
from amem.lm.asking import Answer, Asker
from amem.lm.budget import Budget, Prices
from amem.lm.ledger import Call, Ledger
from amem.lm.limits import prompt_tokens
from amem.lm.outcomes import UNRECORDED
from amem.lm.reading import ask_again, marks, read
from amem.lm.records import RecordStore
from amem.lm.retry import RetryPolicy
from amem.lm.types import Completion, FailureKind, ModelFailure, Provider, Reply, Request, Sampling

Reask = Callable[[str], str]
"""Words the second question from the error in the first reply."""


class LanguageModel:
    """Thread-safe. `sampling` are the backbone's defaults, without None; a request's own values win over them.

    `reask` (a prompt pack's part) words what is sent after a reply that does not fit its schema; without it no second
    question is asked. With `records_only` nothing is ever sent.
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
        reask: Reask | None = None,
        records_only: bool = False,
    ) -> None:
        missing = [f.name for f in fields(Sampling) if getattr(sampling, f.name) is None]
        if missing:
            raise ConfigurationError(f"the backbone's sampling defaults lack {', '.join(missing)}")
        self.ledger = Ledger()
        self.concurrency = concurrency
        self._provider = provider
        self._sampling = sampling
        self._prices = prices or Prices()
        self._reask = reask
        self._pool = ThreadPoolExecutor(concurrency, thread_name_prefix="amem-lm")
        self._asker = Asker(
            provider,
            store=store if store is not None else RecordStore(":memory:"),
            budget=budget or Budget(),
            prices=self._prices,
            retry=retry or RetryPolicy(),
            concurrency=concurrency,
            records_only=records_only,
        )

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

    def seeded(self, seed: int) -> LanguageModel:
        """The same model with another default seed: provider, limits and ledger are shared. Close only the first."""
        other = copy(self)
        other._sampling = replace(self._sampling, seed=seed)
        return other

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

    def stop(self) -> None:
        """Let calls in flight end and send nothing more: from now on what is not recorded is a STOPPED failure."""
        self._asker.stop()

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

    def _complete(self, request: Request, reask: Reask | None) -> Completion:
        answer = self._asker.ask(request)
        reply = answer.outcome
        if isinstance(reply, ModelFailure):
            if reply.kind not in UNRECORDED:
                self._book(request, answer, failure=reply.kind)
            raise reply
        try:
            parsed = read(request, reply)
        except ModelFailure as failure:
            if failure.kind is not FailureKind.SCHEMA or reask is None:
                self._book(request, answer, failure=failure.kind)
                raise
            self._book(request, answer, repairs=("asked_again",))
            return self._second_chance(ask_again(request, reply, reask(str(failure))), failure)
        usd = self._book(request, answer, repairs=marks(request, parsed))
        return _completion(answer, reply, parsed.value, usd, parsed.repairs)

    def _second_chance(self, request: Request, first: ModelFailure) -> Completion:
        try:
            completion = self._complete(request, None)
        except ModelFailure as second:
            # No room to ask again is no news about the model; what stands is that its reply was unusable.
            raise first if second.kind is FailureKind.CONTEXT_OVERFLOW else second from None
        return replace(completion, repairs=("asked_again", *completion.repairs))

    def _book(
        self, request: Request, answer: Answer, *, failure: FailureKind | None = None, repairs: tuple[str, ...] = ()
    ) -> float:
        usage = answer.usage
        usd = self._prices.usd(usage)
        self.ledger.add(
            Call(
                purpose=request.purpose,
                label=request.label,
                prompt_tokens=usage.prompt_tokens,
                completion_tokens=usage.completion_tokens,
                cached_tokens=usage.cached_tokens,
                seconds=answer.seconds,
                usd=usd,
                key=answer.key,
                from_records=answer.from_records,
                failure=failure.value if failure else None,
                repairs=repairs,
                attempts=answer.attempts,
            )
        )
        return usd


def _completion(answer: Answer, reply: Reply, parsed: Any, usd: float, repairs: tuple[str, ...]) -> Completion:
    return Completion(
        text=reply.text,
        parsed=parsed,
        usage=reply.usage,
        seconds=reply.seconds,
        usd=usd,
        key=answer.key,
        from_records=answer.from_records,
        repairs=repairs,
        facts=reply.facts,
    )
