"""A MemGPT in a small window with a scripted model, and the pieces that its tests are made of."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from amem.contract import Question, Session, Turn
from amem.lm.types import ModelFailure, Request
from baselines._memgpt.settings import MemGPTSettings
from baselines.memgpt import MemGPT
from tests.support import tools_for

WINDOW = 2400
SETTINGS = MemGPTSettings(window=WINDOW, warn_at=0.6)
INSTRUCTION = "Give the shortest phrase."
QUESTION = Question("q1", "What arrived?", "single_hop")


def call(function: str, *, heartbeat: bool = False, **arguments: str) -> str:
    """A reply that calls a function."""
    pairs = [{"name": name, "value": value} for name, value in arguments.items()]
    return json.dumps(
        {"thought": "", "function": function, "arguments": pairs, "request_heartbeat": heartbeat}, ensure_ascii=False
    )


def say(message: str, *, heartbeat: bool = False) -> str:
    return call("send_message", heartbeat=heartbeat, message=message)


def session(*texts: str, number: int = 1, speaker: str = "Ines") -> Session:
    """A session of 5 March 2024 + (number - 1) days."""
    turns = tuple(Turn(f"D{number}:{i}", speaker, text) for i, text in enumerate(texts, start=1))
    day = 4 + number
    return Session(f"session_{number}", number, datetime(2024, 3, day, 18, 30), f"{day} March, 2024", turns)


def chatter(count: int, number: int = 1) -> Session:
    """A session of `count` turns of about 30 tokens each."""
    return session(*(f"On line {i} " + "we talk about clay and glazes " * 4 for i in range(count)), number=number)


class Script:
    """Replies by purpose: a list is used up in order, its last item repeating; requests are kept."""

    def __init__(self, **replies: Any) -> None:
        self.requests: list[Request] = []
        self._replies: dict[str, Any] = {
            "memgpt_summary": "They talk about clay.",
            "memgpt_memory": say("done"),
            "memgpt_answer": say("a kiln"),
            **{f"memgpt_{name}": reply for name, reply in replies.items()},
        }

    def __call__(self, request: Request) -> str | ModelFailure:
        self.requests.append(request)
        reply = self._replies[request.purpose]
        if callable(reply):
            return reply(request)
        if isinstance(reply, list):
            return reply.pop(0) if len(reply) > 1 else reply[0]
        return reply

    def count(self, name: str) -> int:
        return sum(request.purpose == f"memgpt_{name}" for request in self.requests)


def memgpt(script: Callable[[Request], str | ModelFailure], **settings: Any) -> MemGPT:
    values = {**SETTINGS.__dict__, **settings}
    return MemGPT(MemGPTSettings(**values), tools_for(script))
