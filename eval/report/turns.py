"""What was said in each turn, as far as the memories of a run tell; a run's folder holds no data set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def turn_texts(state: Mapping[str, Any]) -> dict[str, str]:
    """Text by turn id, from the state of any memory: A-Mem's notes, stored sessions, documents of turns."""
    return dict(_found(state))


def _found(state: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for session in [*state.get("sessions", []), *(page["session"] for page in state.get("pages", []))]:
        for turn in session["turns"]:
            yield turn["id"], f"{turn['speaker']}: {turn['text']}"
    for document in state.get("documents", []):
        if len(document["turn_ids"]) == len(document["pieces"]):
            yield from zip(document["turn_ids"], document["pieces"], strict=True)
    for note in state.get("notes", []):
        yield note["turn"], note["content"]
