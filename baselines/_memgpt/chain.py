"""The loop: one event, and the calls that the agent chains to it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from amem import tokens
from amem.contract import Source
from amem.lm.tolerance import usable
from amem.lm.types import Completion, FailureKind, ModelFailure, Request, Sampling
from baselines._memgpt.agent import Agent
from baselines._memgpt.calls import FUNCTIONS, SEND_MESSAGE, Call
from baselines._memgpt.entries import Kind
from baselines._memgpt.functions import Outcome

MEMORY_CALL = "memgpt_memory"
ANSWER_CALL = "memgpt_answer"
PATIENCE = 3
"""The same call, or an unusable reply, so many times in a row leads the chain to its end."""
PROSE_TOKENS = 100
"""As much of a reply in prose is shown to the agent again."""
MENDABLE = frozenset({FailureKind.SCHEMA, FailureKind.EMPTY, FailureKind.REFUSAL})
"""Failures after which another call, with a word on what was wrong, may go well."""


@dataclass(slots=True)
class Report:
    """What a chain did."""

    messages: list[str] = field(default_factory=list)
    """What was sent with send_message, in order."""
    results: list[str] = field(default_factory=list)
    """Texts of search results that show a turn."""
    found: list[Source] = field(default_factory=list)
    steps: list[dict[str, Any]] = field(default_factory=list)
    """For the trace: one plain object a call."""
    prompt_tokens: int = 0
    """Of the last prompt, in the shared tokenizer."""


class Chain:
    """Calls the model until it asks for no further heartbeat, at most `max_calls` times.

    While a question is open, a call that asks for no heartbeat gets one until a message was sent: a search whose
    result is never read would lose the question. A failed function brings a heartbeat of itself (0.3.25).

    Every call may be the one that sends the answer, so all have the temperature and top_p of `sampling`, where it has
    them.
    """

    def __init__(self, agent: Agent, call: str, sampling: Sampling | None = None) -> None:
        self.report = Report()
        self._agent = agent
        self._call = call
        self._sampling = sampling or Sampling()
        self._answering = call == ANSWER_CALL
        self._previous: Call | None = None
        self._same = 0
        self._unusable = 0

    def run(self) -> Report:
        for number in range(1, self._agent.settings.max_calls + 1):
            stuck = max(self._same, self._unusable) >= PATIENCE
            last = stuck or number == self._agent.settings.max_calls
            if stuck:
                self._count("chain_stuck")
                if not self._forces:
                    break
            goes_on = self._step(FUNCTIONS if not (last and self._forces) else self._forced())
            if not goes_on or stuck:
                break
        else:
            self._count("chain_cut")
        return self.report

    @property
    def _forces(self) -> bool:
        return self._answering and self._agent.settings.force_answer and not self.report.messages

    def _forced(self) -> tuple[str, ...]:
        """Tell the agent that it has one call left, for send_message."""
        self._count("answer_forced")
        self._agent.notice("last_call")
        return (SEND_MESSAGE,)

    def _step(self, functions: tuple[str, ...]) -> bool:
        """One call of the model; whether another one follows."""
        result = self._complete(functions)
        if isinstance(result, Completion):
            self._unusable = 0
            self._agent.counters.update(f"mended:{self._call}:{repair}" for repair in result.repairs)
            return self._act(Call.from_reply(result.parsed))
        return self._mend(result)

    def _complete(self, functions: tuple[str, ...]) -> Completion | ModelFailure:
        try:
            request = self._sampled(self._agent.request(self._call, functions))
        except ModelFailure as failure:
            return failure
        self.report.prompt_tokens = sum(tokens.count(message.content) for message in request.messages)
        return self._agent.tools.lm.complete_many([request])[0]

    def _sampled(self, request: Request) -> Request:
        temperature, top_p = self._sampling.temperature, self._sampling.top_p
        own = request.sampling
        sampling = replace(
            own,
            temperature=own.temperature if temperature is None else temperature,
            top_p=own.top_p if top_p is None else top_p,
        )
        return replace(request, sampling=sampling)

    def _act(self, call: Call) -> bool:
        self._agent.record(Kind.CALL, self._agent.tools.prompts.render("memgpt_call", function_call=call.to_json()))
        self._same = self._same + 1 if self._previous and call.same_as(self._previous) else 1
        self._previous = call
        if self._same > 1:
            self._count("repeated_call")
            self._trace(call, repeated=True)
            self._agent.notice("repeated")
            return True
        outcome = self._agent.functions.run(call)
        self._trace(call, failed=outcome.failed, found=[source.turn_id for source in outcome.found])
        return self._take(call, outcome)

    def _take(self, call: Call, outcome: Outcome) -> bool:
        """Record an outcome; whether the chain goes on."""
        self._agent.record(Kind.RESULT, outcome.text)
        if outcome.found:
            self.report.results.append(outcome.text)
            self.report.found += outcome.found
        if outcome.failed:
            self._count("function_failed")
            return True
        if outcome.message is not None:
            self.report.messages.append(outcome.message)
        elif self._answering and not call.request_heartbeat:
            self._count("heartbeat_granted")
        return call.request_heartbeat or (self._answering and not self.report.messages)

    def _mend(self, failure: ModelFailure) -> bool:
        """Count an unusable reply and tell the agent; failures that no further call can mend rise from here."""
        if self._answering and failure.kind not in MENDABLE:
            raise failure
        usable(failure, self._agent.counters)
        if failure.kind not in MENDABLE:
            return False
        raw = (failure.raw or "").strip()
        prose = bool(raw) and "{" not in raw
        self._unusable += 1
        self.report.steps.append({"unusable": failure.kind.value, "prose": prose})
        if prose:
            self._count("prose_reply")
            if self._answering and self._agent.settings.prose_answers:
                self._count("prose_answer")
                self.report.messages.append(raw)
                return False
        self._agent.notice("prose" if prose else "unusable", self._agent.window.cut(raw, PROSE_TOKENS))
        return True

    def _trace(self, call: Call, **what: Any) -> None:
        self.report.steps.append({"function": call.function, "arguments": dict(call.arguments), **what})

    def _count(self, name: str) -> None:
        self._agent.counters[name] += 1
