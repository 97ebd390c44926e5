"""The queue: what an eviction takes and what it leaves."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from baselines._memgpt.entries import Entry, Kind
from baselines._memgpt.queue import MessageQueue


def entries(*tokens: int, kinds: dict[int, Kind] | None = None) -> list[Entry]:
    kinds = kinds or {}
    return [Entry(i, kinds.get(i, Kind.TURN), "x", count) for i, count in enumerate(tokens)]


def ids(some: list[Entry]) -> list[int]:
    return [entry.id for entry in some]


def test_the_oldest_go_until_more_than_the_fraction_is_gone() -> None:
    queue = MessageQueue(entries(*[10] * 8))
    assert ids(queue.evict(0.75, keep_last=1)) == [0, 1, 2, 3, 4, 5, 6]
    assert ids(queue.entries) == [7]


def test_the_last_ones_stay() -> None:
    queue = MessageQueue(entries(10, 10, 10, 100))
    assert ids(queue.evict(0.75, keep_last=3)) == [0]


def test_a_short_queue_keeps_all() -> None:
    queue = MessageQueue(entries(10, 10))
    assert queue.evict(0.75, keep_last=3) == []
    assert ids(queue.entries) == [0, 1]


def test_a_result_goes_with_its_call() -> None:
    queue = MessageQueue(entries(80, 10, 10, 10, kinds={0: Kind.CALL, 1: Kind.RESULT}))
    assert ids(queue.evict(0.5, keep_last=3)) == [0, 1]


def test_a_question_stays_whatever_its_age() -> None:
    queue = MessageQueue(entries(10, 10, 10, 10, kinds={1: Kind.QUESTION}))
    assert ids(queue.evict(1.0, keep_last=0)) == [0, 2, 3]
    assert ids(queue.entries) == [1]


@given(
    st.lists(st.tuples(st.integers(1, 500), st.sampled_from(list(Kind))), max_size=30),
    st.floats(0.01, 0.99),
    st.integers(0, 5),
)
def test_an_eviction_splits_the_queue(items: list[tuple[int, Kind]], fraction: float, keep_last: int) -> None:
    before = [Entry(i, kind, "x", tokens) for i, (tokens, kind) in enumerate(items)]
    queue = MessageQueue(before)
    evicted = queue.evict(fraction, keep_last)
    assert sorted(ids(evicted) + ids(queue.entries)) == ids(before)
    assert ids(evicted) == sorted(ids(evicted))
    assert ids(queue.entries) == sorted(ids(queue.entries))
    assert all(entry.kind is not Kind.QUESTION for entry in evicted)
    assert not evicted or queue.entries[:1] == [] or queue.entries[0].kind is not Kind.RESULT
