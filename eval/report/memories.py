"""A-Mem's memories as the viewer shows them: notes with their places, the history, and retrieval beside plain top-k."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from amem.lm.records import RecordStore
from amem.network import NoteNetwork
from eval.report.layout import places
from eval.report.plain import plain_top, shown_notes
from eval.report.turns import turn_texts
from eval.runner.memory_files import load_memory


@dataclass(frozen=True, slots=True)
class StoredMemory:
    backbone: str
    method: str
    conversation: str
    repeat: int
    state: Mapping[str, Any]
    arrays: Mapping[str, np.ndarray]
    calls: Sequence[Mapping[str, Any]] = field(default=())

    @property
    def name(self) -> str:
        """How the page calls it, also in addresses."""
        return f"{self.backbone}/{self.method}/{self.conversation}/{self.repeat}"

    @property
    def is_network(self) -> bool:
        return "notes" in self.state and "history" in self.state


def stored_memories(folder: Path) -> list[StoredMemory]:
    """Every memory of a run's folder, sorted by path; raises ResultsError where one is damaged."""
    found = []
    for path in sorted((folder / "memory").glob("*/*/*.json")):
        loaded = load_memory(path.with_suffix(""))
        assert loaded is not None
        snapshot, facts = loaded
        conversation, _, repeat = path.stem.partition(".repeat")
        backbone, method = path.parts[-3:-1]
        found.append(
            StoredMemory(
                backbone,
                method,
                conversation,
                int(repeat or 0),
                snapshot.state,
                snapshot.arrays,
                facts.get("calls", ()),
            )
        )
    return found


def turns_of(memories: Sequence[StoredMemory], conversation: str) -> dict[str, str]:
    texts: dict[str, str] = {}
    for memory in memories:
        if memory.conversation == conversation:
            texts |= turn_texts(memory.state)
    return texts


def network_page(
    memory: StoredMemory, answers: Sequence[Mapping[str, Any]], store: RecordStore | None, encoder: str
) -> dict[str, Any]:
    """Plain data of one network; `answers` are all of the run, of which those of this memory are taken."""
    network = NoteNetwork.from_json(memory.state)
    placed = places(network)
    own = (memory.backbone, memory.method, memory.conversation, memory.repeat)
    asked = [a for a in answers if (a["backbone"], a["method"], a["conversation"], a["repeat"]) == own and a["recall"]]
    return {
        "label": [memory.backbone, memory.method, memory.conversation, memory.repeat],
        "notes": [
            [note.id, note.turn_id, note.session_id, note.speaker, note.content, note.time, *placed[note.id]]
            for note in network
        ],
        "history": [_change(change.to_json()) for change in network.history],
        "plain": {a["question_id"]: _plain(a, memory, store, encoder) for a in asked},
    }


def _change(change: Mapping[str, Any]) -> dict[str, Any]:
    return {name: change[name] for name in ("kind", "note", "cause", "after", "target") if change[name] is not None}


def _plain(
    answer: Mapping[str, Any], memory: StoredMemory, store: RecordStore | None, encoder: str
) -> list[dict[str, Any]] | None:
    trace = answer["recall"]["trace"]
    notes = [note["id"] for note in memory.state["notes"]]
    vectors = memory.arrays.get("vectors", np.empty((0, 0)))
    query = trace.get("query", answer["question"])
    return plain_top(query, shown_notes(trace), notes, vectors, store, encoder)
