"""The released variant against a plain retelling of what the released code does, with lists and positions."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from amem.contract import Tools
from amem.lm.types import Request
from tests.amem.a_mem import RELEASED, memory, question, session
from tests.support import tools_for

WORDS = ["kayak", "nurse", "harbour", "Runa", "zebra", "workshop"]
ACTIONS = [["strengthen"], ["update_neighbor"], ["strengthen", "update_neighbor"], ["strengthen", "strengthen"], []]
LINES = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=3, max_size=6).map(" ".join), min_size=1, max_size=9, unique=True
)


def said(seed: int, purpose: str, label: str) -> dict[str, Any]:
    """What the model says of a note, whatever it is shown. A number in each context keeps vectors apart."""
    draw = Random(f"{seed} {purpose} {label}")

    def words() -> list[str]:
        return draw.choices(WORDS, k=draw.randrange(3))

    if purpose == "note_construct":
        return {"context": draw.choice(["", f"x{draw.random()}"]), "keywords": [f"k{draw.random()}"], "tags": words()}
    return {
        "should_evolve": draw.random() < 0.8,
        "actions": draw.choice(ACTIONS),
        "suggested_connections": [draw.randint(-6, 9) for _ in range(draw.randrange(4))],
        "tags_to_update": words(),
        "new_context_neighborhood": [f"y{draw.random()}" for _ in range(draw.randrange(7))],
        "new_tags_neighborhood": [words() for _ in range(draw.randrange(7))],
    }


@dataclass
class Retold:
    seed: int
    tools: Tools
    every: int
    notes: list[dict[str, Any]] = field(default_factory=list)
    vectors: list[np.ndarray] = field(default_factory=list)
    positive: int = 0

    def add(self, content: str) -> None:
        label = f"n{len(self.notes) + 1}"
        note = {"content": content, "links": [], **said(self.seed, "note_construct", label)}
        note["context"] = note["context"] or "General"
        near = self.nearest(content, 5)
        reply = said(self.seed, "note_evolve_joint", label)
        if reply["should_evolve"]:
            for action in reply["actions"]:
                self.act(action, reply, note, near)
        self.notes.append(note)
        self.vectors.append(self.embedded("note_embedding_context_keywords", note))
        self.positive += reply["should_evolve"]
        if reply["should_evolve"] and self.positive % self.every == 0:
            self.vectors = [self.embedded("note_embedding_refreshed", note) for note in self.notes]

    def act(self, action: str, reply: dict[str, Any], note: dict[str, Any], near: list[int]) -> None:
        if action == "strengthen":
            note["links"] += reply["suggested_connections"]
            note["tags"] = reply["tags_to_update"]
            return
        for place, (position, tags) in enumerate(zip(near, reply["new_tags_neighborhood"], strict=False)):
            self.notes[position]["tags"] = tags
            if place < len(reply["new_context_neighborhood"]):
                self.notes[position]["context"] = reply["new_context_neighborhood"][place]

    def nearest(self, text: str, k: int) -> list[int]:
        query = self.tools.embedder.encode([text])[0]
        scores = [float(vector @ query) for vector in self.vectors]
        return sorted(range(len(scores)), key=lambda position: -round(scores[position], 6))[:k]

    def recalled(self, text: str, k: int) -> list[tuple[str, int]]:
        """Prompt part and position of each note, in the order in which they are shown."""
        shown, count = [], 0
        for hit in self.nearest(text, k):
            shown.append(("note", hit))
            for link in self.notes[hit]["links"]:
                if not -len(self.notes) <= link < len(self.notes):
                    continue
                shown.append(("linked_note", link % len(self.notes)))
                if count >= k:
                    break
                count += 1
        return shown

    def embedded(self, part: str, note: dict[str, Any]) -> np.ndarray:
        fields = {name: note[name] for name in ("content", "keywords", "tags", "context")}
        return self.tools.embedder.encode([self.tools.prompts.render(part, **fields)])[0]


@settings(max_examples=40)
@given(LINES, st.integers(0, 2**16), st.integers(1, 4), st.sampled_from([2, 3, 100]))
def test_memory_and_recall_are_those_of_the_retelling(lines: list[str], seed: int, k: int, every: int) -> None:
    def reply(request: Request) -> str:
        if request.purpose == "query_keywords":
            return json.dumps({"keywords": "kayak, Runa"})
        return json.dumps(said(seed, request.purpose, request.label))

    tools = tools_for(reply)
    amem = memory(tools, **{**RELEASED, "refresh_every": every, "retrieve_k": k})
    amem.ingest(session(lines))
    retold = Retold(seed, tools, every)
    for turn in session(lines).turns:
        retold.add(tools.prompts.render("turn", turn=turn))
    for note, expected in zip(amem.network, retold.notes, strict=True):
        assert note.attributes.to_json() == {name: expected[name] for name in ("keywords", "tags", "context")}
        assert list(note.links) == expected["links"]
    np.testing.assert_array_equal(amem.vectors.index.vectors(), np.stack(retold.vectors))
    render, notes = tools.prompts.render, list(amem.network)
    shown = [render(part, note=notes[position]) for part, position in retold.recalled("kayak, Runa", k)]
    assert amem.recall(question()).text == render("note_list", notes=shown)
