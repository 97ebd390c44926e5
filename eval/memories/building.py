"""Calls and tokens that it took to build the memories of a run, whole conversations at a time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from eval.memories.stored import StoredMemory
from eval.scoring.token_use import Place, Tokens


@dataclass(slots=True)
class Building:
    """Of one backbone and method; a conversation that is read in again for a repeat counts again."""

    conversations: int = 0
    tokens: Tokens = field(default_factory=Tokens)


def building(memories: Iterable[StoredMemory]) -> dict[Place, Building]:
    found: dict[Place, Building] = {}
    for memory in memories:
        own = found.setdefault((memory.backbone, memory.method), Building())
        own.conversations += 1
        for call in memory.facts["calls"]:
            own.tokens.book(call)
    return found
