"""From hits to linked notes: direction, cap and repetition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amem.following import LinkFollower
from amem.network import NoteNetwork
from amem.note import Attributes, Note
from amem.settings import LinkCap

LINKS = st.lists(st.lists(st.integers(-9, 12), max_size=6), min_size=1, max_size=8)


def network(links: list[list[int]]) -> NoteNetwork:
    """A note for each list, linked to those positions."""
    made = NoteNetwork()
    for _ in links:
        note = Note(made.next_id(), "D1:1", "session_1", "Ines", "content", "5 March", Attributes())
        made.add(note, call=None)
    for i, positions in enumerate(links):
        for position in positions:
            made.link_position(f"n{i + 1}", position, cause_id=f"n{i + 1}", call=None)
    return made


def linked(links: list[list[int]], hits: list[int], cap: LinkCap, limit: int) -> list[str]:
    follower = LinkFollower("out", cap, limit, once=False)
    return [s.note_id for s in follower.follow([f"n{hit + 1}" for hit in hits], network(links)) if s.via]


def alive(links: list[list[int]], hit: int) -> list[int]:
    return [position for position in links[hit] if -len(links) <= position < len(links)]


@given(LINKS, st.integers(0, 6))
def test_the_released_counter_lets_one_more_than_the_limit_through_and_then_one_a_linked_hit(
    links: list[list[int]], limit: int
) -> None:
    hits = list(range(len(links)))
    expected = 0
    for hit in hits:
        room = max(limit + 1 - expected, 1)
        expected += min(len(alive(links, hit)), room)
    assert len(linked(links, hits, "shared_released", limit)) == expected


@given(LINKS, st.integers(0, 6))
def test_a_counter_a_hit_lets_one_more_than_the_limit_through_for_each(links: list[list[int]], limit: int) -> None:
    hits = list(range(len(links)))
    expected = sum(min(len(alive(links, hit)), limit + 1) for hit in hits)
    assert len(linked(links, hits, "per_hit", limit)) == expected


@given(LINKS, st.integers(0, 6))
def test_a_shared_limit_is_kept(links: list[list[int]], limit: int) -> None:
    hits = list(range(len(links)))
    expected = min(limit, sum(len(alive(links, hit)) for hit in hits))
    assert len(linked(links, hits, "shared", limit)) == expected


@given(LINKS)
def test_without_following_only_the_hits_are_shown(links: list[list[int]]) -> None:
    assert linked(links, list(range(len(links))), "off", 5) == []


@pytest.mark.parametrize(
    ("position", "target"), [(0, ["n1"]), (-1, ["n3"]), (-3, ["n1"]), (3, []), (-4, []), (1, ["n2"])]
)
def test_a_position_leads_where_a_python_list_would_and_nowhere_out_of_range(position: int, target: list[str]) -> None:
    assert linked([[], [position], []], [1], "per_hit", 5) == target


def test_a_dead_link_uses_up_no_place() -> None:
    assert linked([[], [99, 0, 0]], [1], "shared", 2) == ["n1", "n1"]


def test_both_directions_follow_the_links_that_lead_to_a_hit() -> None:
    follower = LinkFollower("both", "shared", 5, once=True)
    shown = follower.follow(["n1"], network([[], [0], [-3]]))
    assert [(s.note_id, s.via) for s in shown] == [("n1", None), ("n2", "n1"), ("n3", "n1")]


def test_a_note_that_is_a_hit_is_shown_again_as_linked_unless_once() -> None:
    links = [[], [0, 0]]
    for once, expected in ((False, ["n1", "n1"]), (True, [])):
        shown = LinkFollower("out", "shared", 5, once).follow(["n1", "n2"], network(links))
        assert [s.note_id for s in shown if s.via] == expected
