"""What the tests of A-Mem share: a conversation, a scripted model, a memory built of both."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from amem.agentic import AMem
from amem.contract import Question, Session, Tools, Turn
from amem.lm.types import Request
from amem.settings import AMemSettings

LINES = [
    "I bought a red kayak at the harbour.",
    "The kayak leaks, so I took it to the harbour workshop.",
    "My sister Runa starts as a nurse in May.",
    "The workshop mended the kayak for nothing.",
    "Runa moved to Tromsø for the nurse job.",
]

RELEASED: dict[str, Any] = {
    "note_time": False,
    "empty_context": "General",
    "construct_ahead": False,
    "index_text": "note_embedding_context_keywords",
    "refresh": "every",
    "neighbour_query": "content",
    "link_k": 5,
    "evolution_call": "joint",
    "evolving": ("context", "tags"),
    "strengthen_tags": True,
    "links_as": "positions",
    "query": "keywords",
    "link_direction": "out",
    "link_cap": "shared_released",
    "linked_once": False,
}


def session(lines: list[str] = LINES, number: int = 1) -> Session:
    turns = tuple(Turn(f"D{number}:{i + 1}", "Ines", line) for i, line in enumerate(lines))
    return Session(f"session_{number}", number, datetime(2024, 3, number), f"{number} March, 2024", turns)


def question(text: str = "What happened to the kayak?", category: str = "single_hop") -> Question:
    return Question("q1", text, category)


def construct(request: Request) -> str:
    words = request.messages[-1].content.split()
    return json.dumps({"keywords": words[-9:-7], "tags": ["life"], "context": "about life"})


def script(
    link: Callable[[list[str]], list[str]] = lambda ids: [],
    evolve: Callable[[Request], dict[str, Any]] = lambda request: {"update": False},
    joint: Callable[[Request], dict[str, Any]] = lambda request: {},
) -> Callable[[Request], str]:
    """`link` is given the ids that may be linked; `evolve` and `joint` give the fields that differ from "nothing"."""

    def reply(request: Request) -> str:
        if request.purpose == "note_construct":
            return construct(request)
        if request.purpose == "query_keywords":
            return json.dumps({"keywords": "kayak, harbour"})
        if request.purpose == "note_link":
            ids = request.schema["properties"]["links"]["items"].get("enum", [])  # type: ignore[index]
            return json.dumps({"links": link(ids), "tags": ["linked"]} if _asks_tags(request) else {"links": link(ids)})
        blank = {"keywords": [], "tags": [], "context": ""} if request.purpose == "note_evolve" else _nothing(request)
        said = blank | (evolve if request.purpose == "note_evolve" else joint)(request)
        return json.dumps({name: said[name] for name in request.schema["properties"]})  # type: ignore[index]

    return reply


def _asks_tags(request: Request) -> bool:
    return "tags" in request.schema["properties"]  # type: ignore[index]


def _nothing(request: Request) -> dict[str, Any]:
    lists = {name: [] for name in request.schema["properties"] if name != "should_evolve"}  # type: ignore[index]
    return {"should_evolve": False, **lists}


def memory(tools: Tools, **values: Any) -> AMem:
    return AMem(AMemSettings(**values), tools)
