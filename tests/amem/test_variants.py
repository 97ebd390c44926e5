"""Every switch between the paper's A-Mem and the released one, flipped alone and together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from amem.errors import ConfigurationError
from amem.lm.ledger import collecting
from amem.lm.types import Request
from tests.amem.a_mem import LINES, RELEASED, memory, question, script, session
from tests.support import tools_for

SILENT = {"link_generation": False, "memory_evolution": False}


def asked(purpose: str, lines: list[str] = LINES, reply: Any = None, **values: Any) -> list[str]:
    """The prompts of one kind that building a memory of `lines` sends."""
    seen: list[str] = []
    answer = reply or script()

    def listening(request: Request) -> str:
        if request.purpose == purpose:
            seen.append(request.messages[-1].content)
        return answer(request)

    memory(tools_for(listening), **values).ingest(session(lines))
    return seen


def test_the_time_can_be_kept_from_construction() -> None:
    assert "1 March, 2024" in asked("note_construct", **SILENT)[0]
    assert "1 March, 2024" not in asked("note_construct", note_time=False, **SILENT)[0]


def test_an_empty_context_can_have_a_stand_in() -> None:
    def reply(request: Request) -> str:
        return json.dumps({"keywords": ["a"], "tags": ["b"], "context": ""})

    amem = memory(tools_for(reply), empty_context="General", **SILENT)
    amem.ingest(session(LINES[:1]))
    assert amem.network["n1"].context == "General"


def test_notes_can_be_constructed_one_after_the_other() -> None:
    order: list[str] = []

    def listening(request: Request) -> str:
        order.append(request.purpose)
        return script()(request)

    memory(tools_for(listening), construct_ahead=False, evolution_call="joint").ingest(session(LINES[:2]))
    assert order == ["note_construct", "note_evolve_joint"] * 2
    order.clear()
    memory(tools_for(listening), evolution_call="joint").ingest(session(LINES[:2]))
    assert order == ["note_construct"] * 2 + ["note_evolve_joint"] * 2


@pytest.mark.parametrize("part", ["note_embedding", "note_embedding_context_keywords", "note_embedding_labelled"])
def test_the_pack_part_that_is_named_is_what_is_embedded_at_insertion(part: str) -> None:
    tools = tools_for(script())
    amem = memory(tools, index_text=part, **SILENT)
    amem.ingest(session())
    texts = [
        tools.prompts.render(part, content=n.content, keywords=n.keywords, tags=n.tags, context=n.context)
        for n in amem.network
    ]
    np.testing.assert_array_equal(amem.vectors.index.vectors(), tools.embedder.encode(texts))


def test_an_unknown_part_is_refused_before_anything_is_asked() -> None:
    with pytest.raises(ConfigurationError, match="no part 'note_embeding'"):
        memory(tools_for(script()), index_text="note_embeding")


def rewriting(request: Request) -> dict[str, Any]:
    return {"update": True, "context": "zebra zebra zebra", "keywords": ["zebra"], "tags": ["zebra"]}


def refreshed(refresh: str, lines: int, every: int = 100) -> list[bool]:
    """For each note, whether its vector is that of its text for refreshing, after all neighbours were rewritten."""
    tools = tools_for(script(evolve=rewriting))
    amem = memory(
        tools, refresh=refresh, refresh_every=every, index_text="note_embedding_context_keywords", link_k=1,
        link_generation=False,
    )  # fmt: skip
    amem.ingest(session(LINES[:lines]))
    part = "note_embedding_context_keywords" if refresh == "at_once" else "note_embedding_refreshed"
    texts = [
        tools.prompts.render(part, content=n.content, keywords=n.keywords, tags=n.tags, context=n.context)
        for n in amem.network
    ]
    pairs = zip(amem.vectors.index.vectors(), tools.embedder.encode(texts), strict=True)
    return [bool(np.array_equal(have, want)) for have, want in pairs]


def test_vectors_can_be_renewed_at_once_never_or_at_intervals() -> None:
    assert refreshed("at_once", 3) == [True, True, True]
    assert refreshed("never", 3) == [False, False, False]
    assert refreshed("every", 3, every=2) == [True, True, True]
    assert refreshed("every", 3, every=3) == [False, False, False]


def test_a_refresh_leaves_what_comes_after_it_in_the_other_format() -> None:
    assert refreshed("every", 4, every=2)[3] is False


def test_neighbours_can_be_searched_with_the_raw_content() -> None:
    def reply(request: Request) -> str:
        if request.purpose != "note_construct":
            return script()(request)
        about = "zebra" if LINES[2] in request.messages[-1].content else "gnu"
        return json.dumps({"keywords": [about] * 20, "tags": [], "context": f"{about} " * 20})

    lines = ["A gnu is eating.", LINES[2], "A zebra is asleep."]
    by_note = asked("note_link", lines, reply, link_k=1, memory_evolution=False)[-1]
    by_content = asked(
        "note_link", lines, reply, link_k=1, memory_evolution=False, neighbour_query="content",
        index_text="note_embedding_labelled",
    )[-1]  # fmt: skip
    assert "A gnu is eating." in by_note
    assert LINES[2] not in by_note
    assert "A zebra is asleep." in by_content


def test_a_joint_call_is_made_for_every_note_even_the_first() -> None:
    assert len(asked("note_evolve_joint", evolution_call="joint")) == len(LINES)
    assert asked("note_link", evolution_call="joint") == asked("note_evolve", evolution_call="joint") == []


def everything(request: Request) -> dict[str, Any]:
    """A joint reply that strengthens with the first neighbour and rewrites all."""
    items = request.schema["properties"]["suggested_connections"]["items"]  # type: ignore[index]
    target = items["enum"][:1] if "enum" in items else [0] if items["type"] == "integer" else []
    return {
        "should_evolve": True,
        "actions": ["strengthen", "update_neighbor"],
        "suggested_connections": target,
        "tags_to_update": ["fresh"],
        "new_context_neighborhood": ["new context"],
        "new_keywords_neighborhood": [["new keyword"], ["other keyword"]],
        "new_tags_neighborhood": [["new tag"], ["other tag"]],
    }


def built_jointly(lines: int = 3, joint: Any = everything, **values: Any) -> Any:
    amem = memory(tools_for(script(joint=joint)), **{"evolution_call": "joint", **values})
    amem.ingest(session(LINES[:lines]))
    return amem


def test_a_joint_reply_links_and_rewrites_the_neighbours_in_the_order_shown() -> None:
    amem = built_jointly()
    first, second = amem.network["n3"].links[0], ({"n1", "n2"} - set(amem.network["n3"].links)).pop()
    changed = {c.note_id: c.after for c in amem.network.history if c.kind == "evolve" and c.cause_id == "n3"}
    assert changed[first].tags == ("new tag",)
    assert changed[second].tags == ("other tag",)
    assert changed[first].context == "new context"


def test_a_neighbour_without_a_new_context_keeps_its_own() -> None:
    amem = built_jointly(evolving=("context", "tags"))
    second = ({"n1", "n2"} - set(amem.network["n3"].links)).pop()
    change = next(c for c in amem.network.history if c.note_id == second and c.cause_id == "n3" and c.kind == "evolve")
    assert change.after.context == change.before.context
    assert change.after.tags != change.before.tags


@pytest.mark.parametrize("call", ["separate", "joint"])
def test_only_the_attributes_that_may_evolve_change(call: str) -> None:
    tools = tools_for(script(evolve=rewriting, joint=everything))
    amem = memory(tools, evolution_call=call, evolving=("context", "tags"))
    amem.ingest(session(LINES[:3]))
    evolutions = [change for change in amem.network.history if change.kind == "evolve"]
    assert evolutions
    assert all(change.after.keywords == change.before.keywords for change in evolutions)


def test_a_reply_that_says_no_changes_nothing_whatever_else_it_holds() -> None:
    amem = built_jointly(joint=lambda request: {**everything(request), "should_evolve": False})
    assert {change.kind for change in amem.network.history} == {"construct"}


def test_an_action_that_is_not_named_is_not_done() -> None:
    amem = built_jointly(joint=lambda request: {**everything(request), "actions": ["strengthen"]})
    assert {change.kind for change in amem.network.history} == {"construct", "link"}


@pytest.mark.parametrize(("off", "kinds"), [("link_generation", {"evolve"}), ("memory_evolution", {"link"})])
def test_each_half_of_a_joint_reply_can_be_switched_off(off: str, kinds: set[str]) -> None:
    amem = built_jointly(**{off: False})
    assert {change.kind for change in amem.network.history} - {"construct"} == kinds


def test_a_joint_call_is_not_made_where_both_halves_are_off() -> None:
    assert asked("note_evolve_joint", evolution_call="joint", **SILENT) == []


@pytest.mark.parametrize("call", ["separate", "joint"])
def test_strengthening_can_rewrite_the_new_notes_tags_and_they_are_what_is_embedded(call: str) -> None:
    tools = tools_for(script(link=lambda ids: ids[:1], joint=everything))
    amem = memory(tools, evolution_call=call, strengthen_tags=True, memory_evolution=False)
    amem.ingest(session(LINES[:2]))
    note = amem.network["n2"]
    assert note.tags == (("linked",) if call == "separate" else ("fresh",))
    np.testing.assert_array_equal(
        amem.vectors.index.vector("n2"), tools.embedder.encode([amem.vectors.text_of(note)])[0]
    )


@pytest.mark.parametrize("call", ["separate", "joint"])
def test_positions_are_kept_as_the_model_wrote_them_and_the_odd_ones_counted(call: str) -> None:
    written = [0, 0, -1, 7]
    amem = memory(
        tools_for(
            script(link=lambda ids: written, joint=lambda r: {**everything(r), "suggested_connections": written})
        ),
        evolution_call=call, links_as="positions", memory_evolution=False,
    )  # fmt: skip
    amem.ingest(session(LINES[:2]))
    assert amem.network["n2"].links == (0, 0, -1, 7)
    first = 1 if call == "joint" else 0
    assert amem.counters["links_to_negative_positions"] == 1 + first
    assert amem.counters["links_to_positions_out_of_range"] == 1 + first * 3


def test_a_position_out_of_range_is_left_out_at_question_time_and_counted() -> None:
    amem = built_jointly(2, lambda r: {**everything(r), "suggested_connections": [0, 99]}, links_as="positions")
    recall = amem.recall(question())
    assert recall.trace["dead_links"] == 2
    assert {entry["note"] for entry in recall.trace["linked"]} <= {"n1"}


def test_a_position_that_comes_into_range_leads_to_the_note_that_came() -> None:
    joint = built_jointly(1, lambda r: {**everything(r), "suggested_connections": [1]}, links_as="positions")
    assert joint.network.resolve(joint.network["n1"].links[0]) is None
    joint.ingest(session(LINES[1:2], number=2))
    assert joint.network.resolve(joint.network["n1"].links[0]) == "n2"


def test_the_query_can_be_keywords_that_the_model_makes_of_the_question() -> None:
    amem = memory(tools_for(script()), query="keywords", retrieve_k=1, **SILENT)
    amem.ingest(session())
    recall = amem.recall(question("Where did Runa go?"))
    assert recall.trace["query"] == "kayak, harbour"
    assert "kayak" in recall.text


@pytest.mark.parametrize(("said", "searched"), [("nurse Runa", "nurse Runa"), ("  ", "What happened to the kayak?")])
def test_unusable_keywords_are_searched_with_as_they_are_or_the_question_is_and_it_is_noted(
    said: str, searched: str
) -> None:
    def reply(request: Request) -> str:
        return said if request.purpose == "query_keywords" else script()(request)

    amem = memory(tools_for(reply), query="keywords", **SILENT)
    amem.ingest(session())
    recall = amem.recall(question())
    assert recall.trace["query"] == searched
    assert recall.trace["query_failure"] in ("schema", "empty")


def test_the_released_variant_restores_to_itself_with_its_odd_links_and_its_count(tmp_path: Path) -> None:
    def joint(request: Request) -> dict[str, Any]:
        return {**everything(request), "suggested_connections": [0, -1, 50]}

    tools = tools_for(script(joint=joint))
    original = memory(tools, **{**RELEASED, "refresh_every": 3})
    original.ingest(session(LINES[:4]))
    snapshot = original.snapshot()
    copy = memory(tools, **{**RELEASED, "refresh_every": 3})
    copy.restore(type(snapshot)(json.loads(json.dumps(snapshot.state)), snapshot.arrays))
    for built in (original, copy):
        built.ingest(session(LINES, number=2))
    assert copy.snapshot().state == original.snapshot().state
    np.testing.assert_array_equal(copy.vectors.index.vectors(), original.vectors.index.vectors())
    assert copy.recall(question()) == original.recall(question())


def test_the_vector_that_a_note_was_taken_in_with_is_kept_where_it_has_another() -> None:
    amem = memory(tools_for(script(evolve=rewriting)), link_k=1, link_generation=False)
    before = memory(tools_for(script()), link_k=1, link_generation=False)
    for built in (amem, before):
        built.ingest(session(LINES[:2]))
    snapshot, arrays = amem.snapshot(), amem.snapshot().arrays
    assert snapshot.state["vectors"]["first_vectors_of"] == ["n1"]
    np.testing.assert_array_equal(arrays["first_vectors"], before.snapshot().arrays["vectors"][:1])
    assert not np.array_equal(arrays["vectors"][0], arrays["first_vectors"][0])


def test_each_call_is_labelled_with_the_note_it_is_made_for() -> None:
    with collecting() as calls:
        memory(tools_for(script()), link_k=1).ingest(session(LINES[:2]))
    assert [(call.purpose, call.label) for call in calls] == [
        ("note_construct", "n1"), ("note_construct", "n2"), ("note_link", "n2"), ("note_evolve", "n2"),
    ]  # fmt: skip
