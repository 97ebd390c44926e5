"""A-Mem of the paper's section 3, driven by a scripted model."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amem.lm.types import FailureKind, ModelFailure, Request
from tests.amem.a_mem import LINES, construct, memory, question, script, session
from tests.support import DEFAULT_PACK, tools_for


def test_construction_shows_content_and_time_to_the_model() -> None:
    seen: list[str] = []

    def reply(request: Request) -> str:
        seen.append(request.messages[-1].content)
        return construct(request)

    memory(tools_for(reply), link_generation=False, memory_evolution=False).ingest(session(LINES[:1]))
    assert "red kayak" in seen[0]
    assert "1 March, 2024" in seen[0]


def test_the_first_note_has_no_neighbours_and_asks_nothing_about_them() -> None:
    tools = tools_for(script())
    memory(tools).ingest(session(LINES[:1]))
    assert set(tools.lm.ledger.by_purpose()) == {"note_construct"}


def test_a_session_without_turns_changes_nothing() -> None:
    amem = memory(tools_for(script()))
    amem.ingest(session([]))
    assert len(amem.network) == 0
    assert amem.recall(question()).text == ""


def test_each_note_costs_one_construction_one_link_call_and_k_evolutions() -> None:
    tools = tools_for(script())
    memory(tools, link_k=2).ingest(session())
    calls = {purpose: total.calls for purpose, total in tools.lm.ledger.by_purpose().items()}
    assert calls == {"note_construct": 5, "note_link": 4, "note_evolve": 0 + 1 + 2 + 2 + 2}


def test_links_go_to_the_ids_that_the_model_picked() -> None:
    amem = memory(tools_for(script(link=lambda ids: ids[:1])), memory_evolution=False)
    amem.ingest(session())
    assert amem.network["n2"].links == ("n1",)
    assert amem.network["n4"].links[0] in ("n1", "n2")


def test_an_evolved_neighbour_is_changed_and_found_by_its_new_vector_at_once() -> None:
    new = {"update": True, "keywords": ["zebra"], "tags": ["animal"], "context": "zebra zebra zebra"}
    amem = memory(tools_for(script(evolve=lambda request: new)), link_k=1)
    before = memory(tools_for(script()), link_k=1)
    for built in (amem, before):
        built.ingest(session(LINES[:2]))
    assert amem.network["n1"].context == "zebra zebra zebra"
    assert amem.network["n1"].content == before.network["n1"].content
    assert amem.vectors.search("zebra", 1)[0].id == "n1"
    change = amem.network.changes_of("n1")[-1]
    assert (change.kind, change.cause_id, change.before) == ("evolve", "n2", before.network["n1"].attributes)


def test_the_index_holds_exactly_the_present_vectors() -> None:
    def evolve(request: Request) -> dict[str, Any]:
        return {"update": True, "keywords": [], "tags": [], "context": str(len(request.messages[-1].content))}

    amem = memory(tools_for(script(evolve=evolve)), link_k=3)
    amem.ingest(session())
    expected = amem.tools.embedder.encode([amem.vectors.text_of(note) for note in amem.network])
    np.testing.assert_array_equal(amem.vectors.index.vectors(), expected)


def test_every_neighbour_is_judged_by_the_memory_as_it_was_before_the_new_note() -> None:
    prompts: list[str] = []

    def evolve(request: Request) -> dict[str, Any]:
        prompts.append(request.messages[-1].content)
        return {"update": True, "keywords": [], "tags": [], "context": "rewritten just now"}

    memory(tools_for(script(evolve=evolve)), link_k=2).ingest(session(LINES[:3]))
    third = [prompt for prompt in prompts if "Runa starts" in prompt]
    assert len(third) == 2
    assert all(prompt.count("rewritten just now") == 1 for prompt in third)


@pytest.mark.parametrize(
    ("links", "counter"),
    [
        (["n99"], "links_dropped:unknown_or_self"),
        (["n2"], "links_dropped:unknown_or_self"),
        (["n1", "n1"], "links_dropped:twice"),
    ],
)
def test_a_bad_link_is_dropped_and_counted(links: list[str], counter: str, tmp_path: Any) -> None:
    tools = tools_for(script(link=lambda ids: links), pack_folder=_pack_with_open_links(tmp_path))
    amem = memory(tools, memory_evolution=False)
    amem.ingest(session(LINES[:2]))
    assert amem.counters[counter] == 1
    assert set(amem.network["n2"].links) <= {"n1"}


def _pack_with_open_links(folder: Any) -> Any:
    """A pack whose link schema lets any id through, as a user's own may."""
    (folder / "calls" / "note_link").mkdir(parents=True)
    (folder / "pack.yaml").write_text(f"extends: {DEFAULT_PACK}\n")
    schema = {"type": "object", "properties": {"links": {"type": "array", "items": {"type": "string"}}}}
    (folder / "calls" / "note_link" / "schema.json").write_text(json.dumps(schema))
    return folder


def test_an_unusable_construction_leaves_a_note_of_content_alone_and_is_counted() -> None:
    def reply(request: Request) -> str:
        return "no json at all" if request.purpose == "note_construct" else script()(request)

    amem = memory(tools_for(reply))
    amem.ingest(session(LINES[:1]))
    assert amem.network["n1"].keywords == ()
    assert amem.counters["failed:note_construct:schema"] == 1


@pytest.mark.parametrize("kind", [FailureKind.SERVER, FailureKind.BUDGET, FailureKind.RATE_LIMIT])
def test_a_failure_of_the_day_stops_the_building_of_the_memory(kind: FailureKind) -> None:
    def reply(request: Request) -> str | ModelFailure:
        return ModelFailure(kind, "not today") if request.purpose == "note_evolve" else script()(request)

    with pytest.raises(ModelFailure) as caught:
        memory(tools_for(reply)).ingest(session())
    assert caught.value.kind is kind


def test_recall_shows_hits_then_the_linked_notes_of_each_and_names_their_turns() -> None:
    amem = memory(tools_for(script(link=lambda ids: ids)), memory_evolution=False, retrieve_k=1)
    amem.ingest(session())
    recall = amem.recall(question("red kayak harbour bought"))
    (hit,) = recall.trace["hits"]
    (linked,) = recall.trace["linked"]
    assert hit["turn"] == "D1:1"
    assert linked["via"] == hit["note"]
    assert [source.turn_id for source in recall.sources] == [hit["turn"], linked["turn"]]
    assert recall.text.index("red kayak") < recall.text.index(amem.network[linked["note"]].content)


def test_a_linked_note_that_is_a_hit_itself_is_shown_once() -> None:
    amem = memory(tools_for(script(link=lambda ids: ids)), memory_evolution=False, retrieve_k=5)
    amem.ingest(session())
    recall = amem.recall(question())
    assert len(recall.sources) == len({source.turn_id for source in recall.sources}) == 5


def test_k_can_depend_on_the_category() -> None:
    amem = memory(tools_for(script()), retrieve_k=1, k_by_category={"multi_hop": 3})
    amem.ingest(session())
    assert len(amem.recall(question(category="multi_hop")).trace["hits"]) == 3
    assert len(amem.recall(question(category="temporal")).trace["hits"]) == 1


def test_without_attributes_links_and_evolution_no_call_is_made_and_content_alone_is_embedded() -> None:
    tools = tools_for(script())
    amem = memory(tools, attributes=False, link_generation=False, memory_evolution=False)
    amem.ingest(session())
    assert tools.lm.ledger.by_purpose() == {}
    contents = [note.content for note in amem.network]
    np.testing.assert_array_equal(amem.vectors.index.vectors(), tools.embedder.encode(contents))


def _restless(request: Request) -> dict[str, Any]:
    return {"update": True, "keywords": ["k"], "tags": [], "context": str(hash(request.messages[-1].content) % 7)}


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 4), st.lists(st.sampled_from(LINES), min_size=1, max_size=8))
def test_a_restored_memory_recalls_and_grows_as_the_original(k: int, lines: list[str]) -> None:
    tools = tools_for(script(link=lambda ids: ids[::2], evolve=_restless))
    original = memory(tools, link_k=k)
    original.ingest(session(lines))
    stored = json.loads(json.dumps(original.snapshot().state))
    copy = memory(tools, link_k=k)
    copy.restore(type(original.snapshot())(stored, original.snapshot().arrays))
    for built in (original, copy):
        built.ingest(session(LINES[:2], number=2))
    assert copy.snapshot().state == original.snapshot().state
    assert copy.recall(question()) == original.recall(question())
