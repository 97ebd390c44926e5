"""From a script to utterances."""

from __future__ import annotations

import pytest

from amem.errors import DataError
from eval.dialsim.script import utterances
from tests.eval.dialsim import shows


def _spoken(script: str) -> list[tuple[str, str]]:
    [session] = shows.one_session_show(shows.session(script)).sessions()
    return [(utterance.speaker, utterance.text) for utterance in utterances(session, "harbour.json")]


def test_a_line_without_a_colon_joins_the_utterance_before_it() -> None:
    assert _spoken("Juno: One.\nTwo.\n  Three.\nOrin: Four.") == [("Juno", "One.\nTwo.\nThree."), ("Orin", "Four.")]


def test_blank_lines_and_credits_are_left_out() -> None:
    script = "Teleplay: A. Nonymous\n\nJuno: One.\n   \nStory: N. Obody\nOrin: Two."

    assert _spoken(script) == [("Juno", "One."), ("Orin", "Two.")]


def test_a_colon_inside_speech_stays_in_it() -> None:
    assert _spoken("Juno: Note: bring rope: two coils.") == [("Juno", "Note: bring rope: two coils.")]


def test_joint_speakers_and_stray_labels_are_kept_as_they_are() -> None:
    assert [speaker for speaker, _ in _spoken("Orin and Juno: Hi.\nAll: Hi.\nOrin) : Hi.")] == [
        "Orin and Juno",
        "All",
        "Orin)",
    ]


def test_an_empty_script_has_no_utterances() -> None:
    assert _spoken("\n \n") == []


def test_a_script_that_starts_with_nobodys_words_is_refused() -> None:
    with pytest.raises(DataError, match=r"episode 'S01E01', session 1, field 'script'.*Night falls"):
        _spoken("Night falls\nJuno: One.")
