"""Where pages may end, and what a reply makes of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amem.contract import Turn
from baselines._readagent.pages import PageLimits, chosen_end, possible_ends, words_of

PUBLISHED = PageLimits(max_words=600, min_words=280, whole_words=350)


def test_words_are_those_of_text_and_caption() -> None:
    assert words_of(Turn("D1:1", "Ines", "Look at\nthis", caption="a kiln")) == 5
    assert words_of(Turn("D1:1", "Ines", "Look")) == 1


def test_a_short_rest_is_one_page() -> None:
    assert possible_ends([50] * 7, PUBLISHED) == [7]


def test_labels_begin_at_the_minimum_and_end_at_the_maximum() -> None:
    assert possible_ends([100] * 10, PUBLISHED) == [3, 4, 5, 6]


def test_the_end_of_a_rest_within_the_maximum_is_the_last_label() -> None:
    assert possible_ends([100] * 4, PUBLISHED) == [3, 4]


def test_a_giant_turn_is_a_page_of_its_own() -> None:
    assert possible_ends([2000, 10], PUBLISHED) == [1]


def test_a_giant_turn_ends_the_page_before_it_even_below_the_minimum() -> None:
    assert possible_ends([100, 2000, 10], PUBLISHED) == [1]


@given(st.lists(st.integers(0, 900), min_size=1, max_size=40))
def test_every_end_makes_a_page_within_the_limits(words: list[int]) -> None:
    ends = possible_ends(words, PUBLISHED)
    assert ends == sorted(set(ends)) and ends[0] >= 1 and ends[-1] <= len(words)
    assert ends[-1] == 1 or sum(words[: ends[-1]]) <= PUBLISHED.max_words
    assert all(sum(words[:end]) >= PUBLISHED.min_words for end in ends[:-1])


@pytest.mark.parametrize(
    ("reply", "end"),
    [
        ("<2>", 12),
        ("The break is at <3>.", 15),
        ('{"mark": 1}', 9),
        ("2 or 3", 12),
        ("<0>", None),
        ("<4>", None),
        ("after the kiln", None),
        ("", None),
        ("9" * 5000, None),
    ],
)
def test_the_first_number_of_a_reply_names_the_end(reply: str, end: int | None) -> None:
    assert chosen_end(reply, [9, 12, 15]) == end
