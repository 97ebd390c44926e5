"""What stands behind the emulated servers: a script, or a provider of this project (the embedded model)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from amem import tokens
from amem.lm.types import Message, Provider, Request, Sampling


@dataclass(frozen=True, slots=True)
class Asked:
    """A chat request as either protocol expresses it."""

    model: str
    messages: Sequence[Mapping[str, str]]
    schema: Mapping[str, Any] | None
    temperature: float | None
    top_p: float | None
    max_tokens: int | None
    seed: int | None


@dataclass(frozen=True, slots=True)
class Said:
    text: str
    prompt_tokens: int
    completion_tokens: int
    finish_reason: str = "stop"


class Engine(Protocol):
    def reply(self, asked: Asked) -> Said: ...


class ScriptedEngine:
    """`script(asked)` gives the text; tokens are counted in o200k_base."""

    def __init__(self, script: Callable[[Asked], str]) -> None:
        self._script = script

    def reply(self, asked: Asked) -> Said:
        text = self._script(asked)
        prompt = sum(tokens.count(message["content"]) for message in asked.messages)
        return Said(text, prompt, tokens.count(text))


class ProviderEngine:
    """Any provider, so that the embedded model can be reached over HTTP."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider

    def reply(self, asked: Asked) -> Said:
        messages = tuple(Message(m["role"], m["content"]) for m in asked.messages)  # type: ignore[arg-type]
        sampling = Sampling(asked.temperature, asked.top_p, asked.max_tokens, asked.seed)
        reply = self._provider.complete(Request(messages, "served", asked.schema, sampling))
        usage = reply.usage
        return Said(reply.text, usage.prompt_tokens, usage.completion_tokens, reply.finish_reason)
