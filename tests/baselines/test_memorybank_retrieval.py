"""Places, exchanges, neighbours glued on, hits merged."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from baselines._memorybank.pieces import Exchange, Place, around, exchanges_of
from baselines._memorybank.retrieval import Selection, select
from tests.baselines.talk import session


def test_turns_go_two_by_two_and_an_odd_one_stays_alone() -> None:
    found = exchanges_of(session(3, ["a", "b", "c", "d", "e"]))
    assert [[turn.text for turn in exchange.turns] for exchange in found] == [["a", "b"], ["c", "d"], ["e"]]
    assert [exchange.place for exchange in found] == [Place(3, 0), Place(3, 1), Place(3, 2)]


@given(st.integers(1, 999), st.integers(-1, 999))
def test_a_place_is_found_again_by_its_id(number: int, exchange: int) -> None:
    assert Place.of(Place(number, exchange).id) == Place(number, exchange)


def test_an_exchange_survives_json() -> None:
    exchange = exchanges_of(session(3, ["a", "b"]))[0]
    assert Exchange.from_json(json.loads(json.dumps(exchange.to_json()))) == exchange


def test_neighbours_are_taken_outward_later_before_earlier_within_the_limit() -> None:
    assert around(2, [50, 50, 50, 50, 50], [True] * 5, 200) == [3, 1, 4]


def test_a_long_or_forgotten_neighbour_is_passed_over() -> None:
    assert around(1, [50, 50, 500, 50], [True] * 4, 200) == [0, 3]
    assert around(1, [50, 50, 50, 50], [True, True, False, True], 200) == [0, 3]


def test_a_hit_longer_than_the_limit_has_no_neighbours() -> None:
    assert around(0, [300, 1], [True, True], 200) == []


@given(st.lists(st.integers(1, 150), min_size=1, max_size=12), st.data())
def test_hit_and_neighbours_stay_within_the_limit(lengths: list[int], data: st.DataObject) -> None:
    hit = data.draw(st.integers(0, len(lengths) - 1))
    found = around(hit, lengths, [True] * len(lengths), 200)
    assert hit not in found and len(set(found)) == len(found)
    assert lengths[hit] + sum(lengths[position] for position in found) <= 200


def test_neighbours_come_from_the_hits_session_only_and_never_twice() -> None:
    exchanges = {e.place: e for n in (1, 2) for e in exchanges_of(session(n, list("abcdef")))}
    hits = [Place(1, 0), Place(2, -1), Place(1, 2)]
    selection = select(hits, exchanges, frozenset(), lambda exchange: 10, 200)
    assert selection.glued == {Place(1, 0): (Place(1, 1),), Place(2, -1): (), Place(1, 2): ()}


def test_no_neighbours_without_a_limit() -> None:
    exchanges = {e.place: e for e in exchanges_of(session(1, list("abcd")))}
    assert select([Place(1, 0)], exchanges, frozenset(), lambda exchange: 0, 0).places == [Place(1, 0)]


SELECTION = Selection({Place(5, 1): (Place(5, 0),), Place(2, -1): (), Place(2, 3): ()})


def test_merged_hits_stand_by_session_in_time_order() -> None:
    assert SELECTION.blocks(merge=True) == [[Place(2, -1), Place(2, 3)], [Place(5, 0), Place(5, 1)]]


def test_hits_that_are_not_merged_stand_best_first() -> None:
    assert SELECTION.blocks(merge=False) == [[Place(5, 0), Place(5, 1)], [Place(2, -1)], [Place(2, 3)]]
