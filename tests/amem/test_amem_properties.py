"""What holds of A-Mem whatever its switches say and whatever the model replies."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from amem.agentic import AMem
from amem.lm.records import RecordStore
from amem.lm.types import Request
from amem.network import NoteNetwork
from tests.amem.a_mem import LINES, memory, question, session
from tests.support import tools_for

WORDS = ["kayak", "nurse", "harbour", "Runa", "zebra"]
ATTRIBUTES = ["context", "keywords", "tags"]
SWITCHES = st.fixed_dictionaries(
    {},
    optional={
        "note_time": st.booleans(),
        "empty_context": st.sampled_from(["", "General"]),
        "construct_ahead": st.booleans(),
        "index_text": st.sampled_from(["note_embedding", "note_embedding_context_keywords"]),
        "refresh": st.sampled_from(["at_once", "every", "never"]),
        "refresh_every": st.integers(1, 4),
        "neighbour_query": st.sampled_from(["note", "content"]),
        "link_k": st.integers(0, 4),
        "evolution_call": st.sampled_from(["separate", "joint"]),
        "link_generation": st.booleans(),
        "memory_evolution": st.booleans(),
        "evolving": st.lists(st.sampled_from(ATTRIBUTES), unique=True, min_size=1).map(tuple),
        "strengthen_tags": st.booleans(),
        "links_as": st.sampled_from(["ids", "positions"]),
        "retrieve_k": st.integers(0, 4),
        "query": st.sampled_from(["question", "keywords"]),
        "link_direction": st.sampled_from(["both", "out"]),
        "link_cap": st.sampled_from(["shared", "shared_released", "per_hit", "off"]),
        "linked_notes": st.none() | st.integers(0, 5),
        "linked_once": st.booleans(),
    },
)
CONVERSATIONS = st.lists(st.sampled_from(LINES), min_size=1, max_size=7)
SEEDS = st.integers(0, 2**16)


def reply_at_random(seed: int) -> Any:
    """Replies that fit their schema and are otherwise arbitrary, the same for the same request."""

    def reply(request: Request) -> str:
        draw = Random(f"{seed} {request.purpose} {request.messages[-1].content}")
        if draw.random() < 0.1:
            return "this is no JSON"
        return json.dumps(_value(request.schema, draw))

    return reply


def _value(schema: Any, draw: Random) -> Any:
    if "enum" in schema:
        return draw.choice(schema["enum"])
    if schema["type"] == "object":
        return {name: _value(part, draw) for name, part in schema["properties"].items()}
    if schema["type"] == "array":
        return [_value(schema["items"], draw) for _ in range(draw.randrange(5))]
    if schema["type"] == "integer":
        return draw.randint(-4, 9)
    return draw.random() < 0.6 if schema["type"] == "boolean" else " ".join(draw.choices(WORDS, k=draw.randrange(4)))


def built(switches: dict[str, Any], lines: list[str], seed: int, **options: Any) -> AMem:
    amem = memory(tools_for(reply_at_random(seed), **options), **switches)
    amem.ingest(session(lines))
    return amem


@settings(max_examples=30)
@given(SWITCHES, CONVERSATIONS, SEEDS)
def test_links_by_id_always_lead_to_another_note_and_never_twice(
    switches: dict[str, Any], lines: list[str], seed: int
) -> None:
    network = built({**switches, "links_as": "ids"}, lines, seed).network
    for note in network:
        assert all(link in network and link != note.id for link in note.links)
        assert len(set(note.links)) == len(note.links)


@settings(max_examples=30)
@given(SWITCHES, CONVERSATIONS, SEEDS)
def test_content_is_the_rendered_turn_for_ever(switches: dict[str, Any], lines: list[str], seed: int) -> None:
    amem = built(switches, lines, seed)
    turns = session(lines).turns
    assert [note.content for note in amem.network] == [amem.tools.prompts.render("turn", turn=turn) for turn in turns]


@settings(max_examples=30)
@given(SWITCHES, CONVERSATIONS, SEEDS)
def test_the_history_leads_to_the_present_state(switches: dict[str, Any], lines: list[str], seed: int) -> None:
    state = json.loads(json.dumps(built(switches, lines, seed).snapshot().state))
    replayed = NoteNetwork.from_json(state).to_json()
    assert replayed == {name: state[name] for name in replayed}


@settings(max_examples=30)
@given(SWITCHES, CONVERSATIONS, SEEDS)
def test_with_vectors_renewed_at_once_the_index_holds_exactly_the_present_ones(
    switches: dict[str, Any], lines: list[str], seed: int
) -> None:
    amem = built({**switches, "refresh": "at_once"}, lines, seed)
    texts = [amem.vectors.text_of(note) for note in amem.network]
    np.testing.assert_array_equal(amem.vectors.index.vectors(), amem.tools.embedder.encode(texts))


@settings(max_examples=25)
@given(SWITCHES, CONVERSATIONS, SEEDS)
def test_the_same_records_give_the_same_memory_and_recall_without_a_call(
    switches: dict[str, Any], lines: list[str], seed: int
) -> None:
    with RecordStore(":memory:") as store:
        first = built(switches, lines, seed, store=store)
        recalled = first.recall(question())
        again = built(switches, lines, seed + 1, store=store, records_only=True)
        assert again.snapshot().state == first.snapshot().state
        np.testing.assert_array_equal(again.vectors.index.vectors(), first.vectors.index.vectors())
        assert again.recall(question()) == recalled
