"""Which pages a reply asks for."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baselines._readagent.lookup import asks_to_stop, bracketed_numbers, pages_asked_for


@pytest.mark.parametrize(
    ("reply", "numbers"),
    [
        ("[3, 1]", [3, 1]),
        ("I would like to read pages [2] and [4].", [2]),
        ('{"pages": [5, 2]}', [5, 2]),
        ("[Page 3, Page 5]", [3, 5]),
        ("[2-4]", [2, 4]),
        ("[-4]", [-4]),
        ("[]", []),
        ("[none]", None),
        ("Pages 2 and 4", None),
        ("", None),
    ],
)
def test_numbers_are_read_from_the_first_brackets(reply: str, numbers: list[int] | None) -> None:
    assert bracketed_numbers(reply) == numbers


@pytest.mark.parametrize(
    ("reply", "pages", "counted"),
    [
        ("[3, 1]", [3, 1], {}),
        ("[9, 2, 0, -1]", [2], {"lookup_out_of_range": 3}),
        ("[2, 2, 3]", [2, 3], {"lookup_repeated": 1}),
        ("[1, 2, 3, 4]", [1, 2, 3], {"lookup_over_cap": 1}),
        ("all of them", [], {"lookup_unusable": 1}),
        ("[]", [], {}),
        (f"[{'7' * 5000}]", [], {"lookup_out_of_range": 1}),
    ],
)
def test_what_can_not_be_opened_is_left_out_and_counted(reply: str, pages: list[int], counted: dict[str, int]) -> None:
    counts: Counter[str] = Counter()
    assert pages_asked_for(reply, 4, 3, counts) == pages
    assert +counts == counted


@given(st.text(alphabet="[]0123456789,- Pagestop\n", max_size=60), st.integers(0, 30), st.integers(1, 6))
def test_any_reply_gives_distinct_pages_in_range_and_within_the_cap(reply: str, total: int, cap: int) -> None:
    pages = pages_asked_for(reply, total, cap, Counter())
    assert len(pages) == len(set(pages)) <= cap
    assert all(1 <= page <= total for page in pages)


@pytest.mark.parametrize("reply", ["STOP", "stop.", "[]", "[STOP]", "I can stop here"])
def test_a_reply_that_stops(reply: str) -> None:
    assert asks_to_stop(reply)


@pytest.mark.parametrize("reply", ["[3]", "[3] then stop", "nonstop reading", "page 3"])
def test_a_reply_that_does_not_stop(reply: str) -> None:
    assert not asks_to_stop(reply)
