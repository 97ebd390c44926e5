"""Fitting text into tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amem import tokens
from amem.errors import ConfigurationError
from baselines._window import clip, keep_most, room
from tests.support import scripted_model


@given(total=st.integers(0, 300), limit=st.integers(-1, 400))
def test_keep_most_is_the_largest_that_fits(total: int, limit: int) -> None:
    asked: list[int] = []

    def fits(n: int) -> bool:
        asked.append(n)
        return n <= limit

    expected = None if limit < 0 else min(total, limit)
    assert keep_most(total, fits) == expected
    assert len(asked) <= total.bit_length() + 2


@given(st.text(alphabet="ab é\n.", max_size=80), st.integers(0, 30))
def test_a_clipped_text_is_the_longest_run_of_whole_words_within_the_limit(text: str, limit: int) -> None:
    cut = clip(text, limit)
    assert text.startswith(cut)
    assert tokens.count(cut) <= limit or cut == ""
    if cut != text:
        assert text[: len(cut)].split() == text.split()[: len(cut.split())]


def test_text_within_the_limit_stays_as_it_is() -> None:
    assert clip("  two words\n", 50) == "  two words\n"


def test_room_is_what_the_question_and_the_reserve_leave() -> None:
    lm = scripted_model(lambda request: "", window=1000)
    assert room(lm, "Who?", 300) == 1000 - 300 - lm.count_tokens("Who?")


def test_a_window_without_room_is_refused_with_the_way_out() -> None:
    lm = scripted_model(lambda request: "", window=1000)
    with pytest.raises(ConfigurationError, match=r"answer_reserve_tokens = 1000 .* window of 1000 tokens"):
        room(lm, "Who?", 1000)
