"""A-Mem's memories as the viewer shows them: notes with their places, the history, and retrieval beside plain top-k."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from amem.lm.records import RecordStore
from eval.memories.stored import StoredMemory
from eval.report.layout import places
from eval.report.plain import plain_top, shown_notes
from eval.report.turns import turn_texts

_CHANGE = ("kind", "note", "cause", "after", "target")


def page_name(memory: StoredMemory) -> str:
    """How the page calls a memory, also in addresses."""
    return "/".join(map(str, (memory.backbone, memory.method, memory.conversation, memory.repeat)))


def memory_method(method: str, config: Mapping[str, Any]) -> str:
    """The method whose memories `method` asks: its own, or in a k-sweep those of the first row that shares them."""
    swept = config["methods"][method].get("swept")
    return swept["memory"] if swept else method


def turns_of(memories: Sequence[StoredMemory], conversation: str) -> dict[str, str]:
    """Text by turn id, as far as the memories of the conversation hold it."""
    texts: dict[str, str] = {}
    for memory in memories:
        if memory.conversation == conversation:
            texts |= turn_texts(memory.snapshot.state)
    return texts


def network_page(
    memory: StoredMemory, answers: Sequence[Mapping[str, Any]], store: RecordStore | None, encoder: str
) -> dict[str, Any]:
    """Plain data of one network; `answers` are those of the run's rows that asked this method's memories."""
    network = memory.network()
    placed = places(network)
    own = (memory.backbone, memory.conversation, memory.repeat)
    asked = [a for a in answers if (a["backbone"], a["conversation"], a["repeat"]) == own and a["recall"]]
    return {
        "notes": [
            [note.id, note.turn_id, note.session_id, note.speaker, note.content, note.time, *placed[note.id]]
            for note in network
        ],
        "history": [
            {name: value for name, value in change.to_json().items() if name in _CHANGE and value is not None}
            for change in network.history
        ],
        "plain": {f"{a['method']}/{a['question_id']}": plain_notes(a, memory, store, encoder) for a in asked},
    }


def plain_notes(
    answer: Mapping[str, Any], memory: StoredMemory, store: RecordStore | None, encoder: str
) -> list[dict[str, Any]] | None:
    """What plain retrieval of as many notes would have shown (`eval.report.plain.plain_top`), by today's vectors."""
    trace = answer["recall"]["trace"]
    known = _known_when_asked(answer, memory.snapshot.state["notes"])
    notes = [note["id"] for note in known]
    vectors = memory.snapshot.arrays.get("vectors", np.empty((0, 0)))[: len(known)]
    query = trace.get("query", answer["question"])
    return plain_top(query, shown_notes(trace), notes, vectors, store, encoder)


def _known_when_asked(answer: Mapping[str, Any], notes: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """All notes, but for a question in the middle of a show, whose memory ended with the turn that it came after."""
    last = answer.get("dialsim", {}).get("after")
    places = [place for place, note in enumerate(notes, start=1) if note["turn"] == last]
    return notes[: places[-1]] if places else notes
