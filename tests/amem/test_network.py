"""Notes, links and history: what no sequence of changes may break."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amem.network import NoteNetwork
from amem.note import Attributes, Note

ATTRIBUTES = st.builds(
    Attributes,
    st.lists(st.text(max_size=5), max_size=2).map(tuple),
    st.lists(st.text(max_size=5), max_size=2).map(tuple),
    st.text(max_size=8),
)
ACTIONS = st.sampled_from(["add", "link", "position", "evolve"])
STEPS = st.lists(st.tuples(ACTIONS, st.integers(0, 9), st.integers(0, 9), ATTRIBUTES), max_size=40)


def new_note(note_id: str, attributes: Attributes) -> Note:
    return Note(note_id, f"D1:{note_id}", "session_1", "Ines", f"content of {note_id}", "5 March", attributes)


def grow(steps: list[Any]) -> NoteNetwork:
    network = NoteNetwork()
    for action, first, second, attributes in steps:
        ids = [note.id for note in network]
        if action == "add" or not ids:
            network.add(new_note(network.next_id(), attributes), call="c")
            continue
        source, target = ids[first % len(ids)], ids[second % len(ids)]
        if action == "evolve":
            network.evolve(source, attributes, cause_id=target, call="c")
        elif action == "position":
            network.link_position(source, second * 3 - 9, cause_id=source, call="c")
        elif source != target and target not in network[source].links:
            network.link(source, target, cause_id=source, call="c")
    return network


@given(STEPS)
def test_replaying_the_history_gives_the_present_state(steps: list[Any]) -> None:
    network = grow(steps)
    copy = NoteNetwork.from_json(network.to_json())
    assert copy.to_json() == network.to_json()
    assert [copy.linked_from(note.id) for note in copy] == [network.linked_from(note.id) for note in network]


@given(STEPS)
def test_links_by_id_point_at_existing_other_notes_once(steps: list[Any]) -> None:
    network = grow(steps)
    for note in network:
        ids = [link for link in note.links if isinstance(link, str)]
        assert all(target in network and target != note.id for target in ids)
        assert len(set(ids)) == len(ids)


@given(STEPS)
def test_a_note_is_linked_from_exactly_the_notes_whose_links_lead_to_it(steps: list[Any]) -> None:
    network = grow(steps)
    leads = {(note.id, target) for note in network for link in note.links if (target := network.resolve(link))}
    assert leads == {(source, note.id) for note in network for source in network.linked_from(note.id)}


@given(STEPS, st.integers(-12, 12))
def test_a_position_resolves_as_an_index_of_a_python_list(steps: list[Any], position: int) -> None:
    network = grow(steps)
    ids = [note.id for note in network]
    expected = ids[position] if -len(ids) <= position < len(ids) else None
    assert network.resolve(position) == expected


@given(STEPS)
def test_content_never_changes(steps: list[Any]) -> None:
    assert all(note.content == f"content of {note.id}" for note in grow(steps))


@given(STEPS)
def test_boxes_part_the_notes_and_no_link_leaves_its_box(steps: list[Any]) -> None:
    network = grow(steps)
    boxes = network.boxes()
    assert sorted(note_id for box in boxes for note_id in box) == sorted(note.id for note in network)
    links = {note.id: {network.resolve(link) for link in note.links} - {None} for note in network}
    assert all(links[note_id] <= set(box) for box in boxes for note_id in box)


@pytest.mark.parametrize("target", ["n9", "n1", "n2"])
def test_a_link_to_nothing_to_itself_or_twice_is_refused(target: str) -> None:
    network = grow([("add", 0, 0, Attributes())] * 2)
    network.link("n1", "n2", cause_id="n1", call=None)
    with pytest.raises(ValueError, match="can't be linked"):
        network.link("n1", target, cause_id="n1", call=None)


def test_an_edited_snapshot_is_refused() -> None:
    stored = grow([("add", 0, 0, Attributes())]).to_json()
    stored["notes"][0]["context"] = "rewritten behind the history's back"
    with pytest.raises(ValueError, match="history"):
        NoteNetwork.from_json(stored)
