"""Which question, from whom, after which utterance: the rules of DialSim, and the faults that are not its rules."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.dialsim.draw import (
    UNKNOWN_SHARE,
    Draw,
    Unasked,
    askers_around,
    draw,
    draw_kind,
    names_own_year,
    trigger_positions,
    weighted_kinds,
)
from eval.dialsim.kinds import Kind, Origin
from eval.dialsim.objects import StoredSession
from eval.dialsim.script import utterances
from tests.eval.dialsim import shows


def _stored(**fields: Any) -> StoredSession:
    [session] = shows.one_session_show(shows.session(**fields)).sessions()
    return session


def _draw(stored: StoredSession, seed: int = 0) -> Draw | Unasked:
    return draw(stored, utterances(stored), "Orin", Random(seed))


def test_triggers_and_askers_of_the_example() -> None:
    for stored, expected in zip(shows.example_show().sessions(), shows.EXPECTED["sessions"], strict=True):
        spoken = utterances(stored)
        triggers = trigger_positions(spoken, "Orin")

        assert (stored.episode, stored.number) == (expected["episode"], expected["session"])
        assert len(spoken) == expected["utterances"]
        assert [spoken[i].line for i in triggers] == expected["trigger_utterances"]
        for i in triggers:
            assert sorted(askers_around(spoken, i, "Orin")) == shows.EXPECTED["askers_by_trigger"][spoken[i].line]


def test_the_first_agent_line_is_a_trigger_only_where_it_is_the_only_one() -> None:
    assert trigger_positions(utterances(_stored(script="Orin: A.\nJuno: B.")), "Orin") == [0]
    assert trigger_positions(utterances(_stored(script="Orin: A.\nJuno: B.\nOrin: C.")), "Orin") == [2]


def test_askers_speak_from_three_before_to_two_after() -> None:
    spoken = utterances(_stored(script="\n".join(f"{name}: x" for name in ["A", "B", "C", "D", "Orin", "E", "F", "G"])))

    assert askers_around(spoken, 4, "Orin") == ["B", "C", "D", "E", "F"]


def test_neither_the_agent_nor_all_ask() -> None:
    spoken = utterances(_stored(script="orin and Juno: x\nAll: x\nOrin: x\nAllan: x"))

    assert askers_around(spoken, 2, "Orin") == ["Allan"]


@pytest.mark.parametrize("origin", Origin)
@given(chosen=st.sets(st.sampled_from(list(Kind)), min_size=1), seed=st.integers())
def test_unanswerable_kinds_are_kept_under_their_share(origin: Origin, chosen: set[Kind], seed: int) -> None:
    kinds = [kind for kind in Kind if kind in chosen and kind.origin is origin]
    if not kinds:
        return
    weighted = weighted_kinds(kinds, UNKNOWN_SHARE[origin], Random(seed))
    answerable = Counter(kind for kind in weighted if kind.answerable)
    unknown = [kind for kind in weighted if not kind.answerable]

    assert weighted[: len(kinds)] == kinds
    assert sorted(unknown) == sorted(kind for kind in kinds if not kind.answerable)
    if answerable:
        assert len(unknown) / len(weighted) < UNKNOWN_SHARE[origin]
        assert max(answerable.values()) - min(answerable.values()) <= 1
        shorter = len(weighted) - 1
        assert shorter < len(kinds) or len(unknown) / shorter >= UNKNOWN_SHARE[origin], "no more than needed"


def _both() -> StoredSession:
    return _stored(hard={"past": [shows.question()]}, easy={"ans_wo_time": {1: shows.question()}})


def test_seven_of_ten_questions_come_from_the_graph() -> None:
    drawn = Counter(draw_kind(_both(), Random(seed)) for seed in range(4000))

    assert 0.67 < drawn[Kind.PAST] / 4000 < 0.73


def test_kinds_are_weighted_and_not_questions() -> None:
    stored = _stored(hard={"past": [shows.question()] * 99, "cur": [shows.question()]})
    drawn = Counter(draw_kind(stored, Random(seed)) for seed in range(2000))

    assert 0.45 < drawn[Kind.CUR] / 2000 < 0.55


@pytest.mark.parametrize(
    ("field", "questions", "kind"),
    [
        ("easy", {"ans_wo_time": {1: shows.question()}}, Kind.ANS_WO_TIME),
        ("hard", {"cur": [shows.question()]}, Kind.CUR),
    ],
)
def test_where_one_origin_has_no_question_the_other_is_asked(field: str, questions: Any, kind: Kind) -> None:
    """The released simulator stops with an error where there are fan quizzes and no graph questions."""
    stored = _stored(**{field: questions})

    assert {draw_kind(stored, Random(seed)) for seed in range(50)} == {kind}


def test_a_session_without_questions_gets_none() -> None:
    assert _draw(_stored()) is Unasked.NO_QUESTIONS


def test_a_session_whose_candidates_are_all_dropped_gets_none() -> None:
    """The released simulator stops with an error there."""
    assert _draw(_stored(hard={"past": [shows.question("Who left in 2001?")]})) is Unasked.NO_CANDIDATE


def test_a_silent_agent_is_not_asked() -> None:
    """The released simulator goes on with the trigger of the last session in which the agent spoke."""
    stored = _stored(script="Juno: Good day.\nTamsin: Good day.", hard={"past": [shows.question()]})

    assert _draw(stored) is Unasked.AGENT_SILENT


def test_an_agent_alone_is_not_asked() -> None:
    assert _draw(_stored(script="Orin: One.\nOrin: Two.", hard={"past": [shows.question()]})) is Unasked.NO_ASKER


def test_the_question_follows_the_chosen_utterance_and_not_the_first_that_holds_its_words() -> None:
    """ "Orin: No" also stands in "Orin: Now then", where the released simulator would ask."""
    script = "Juno: A.\nOrin: Hm.\nOrin: Now then.\nTamsin: B.\nOrin: No"
    stored = _stored(script=script, hard={"past": [shows.question()]})

    assert {drawn.trigger for seed in range(40) if isinstance(drawn := _draw(stored, seed), Draw)} == {2, 4}


def test_the_askers_own_wording_is_preferred() -> None:
    stored = _stored(hard={"past": [shows.question("Who?", Juno="Who is it, eh?")]})

    assert isinstance(drawn := _draw(stored), Draw)
    assert (drawn.asker, drawn.wording) == ("Juno", "Who is it, eh?")


def test_a_candidate_without_a_wording_for_the_asker_gives_way_to_the_next() -> None:
    """Empty `questions` and those with other askers only, as in real data."""
    unusable = [shows.EDGE_CASES[0], shows.EDGE_CASES[1]]
    stored = _stored(hard={"past": [*unusable, shows.question("Which?")]})

    drawn = [_draw(stored, seed) for seed in range(30)]

    assert all(isinstance(one, Draw) and one.wording == "Which?" for one in drawn)
    assert _draw(_stored(hard={"past": unusable})) is Unasked.NO_CANDIDATE


def test_an_answer_that_is_no_option_is_not_asked() -> None:
    assert _draw(_stored(hard={"past": [shows.EDGE_CASES[2]]})) is Unasked.NO_MATCHING_OPTION


def test_an_answer_is_found_among_the_options_whatever_its_case() -> None:
    drawn = _draw(_stored(hard={"past": [shows.EDGE_CASES[4]]}))

    assert isinstance(drawn, Draw)
    assert drawn.question.correct == 0


def test_a_question_with_four_options_is_not_asked() -> None:
    four = shows.question() | {"options": ["A", "B", "C", "D"]}

    assert _draw(_stored(hard={"past": [four]})) is Unasked.NO_MATCHING_OPTION


@pytest.mark.parametrize(
    ("wording", "dropped"),
    [
        ("Who was Tamsin's roommate in 2001?", True),
        ("Who was Tamsin's roommate in April 2001?", True),
        ("Who was Tamsin's date on the night of 2001?", True),
        ("Who was Tamsin's roommate on April 1, 2001?", False),
        ("Who was Tamsin's roommate in 2000?", False),
        ("Who owns the 20011 stamps?", False),
        ("Who was there on April 1, 2001 and later in 2001?", True),
    ],
)
def test_a_question_that_names_the_sessions_own_year_without_a_day_is_dropped(wording: str, dropped: bool) -> None:
    """The released simulator lets "on the night of 2001" pass."""
    stored = _stored(date="April 2, 2001", hard={"past": [shows.question(wording)]})

    assert names_own_year(stored.questions[Kind.PAST][0], stored) is dropped


def test_fan_quizzes_may_name_the_sessions_own_year() -> None:
    stored = _stored(easy={"ans_w_time": {1: shows.question("What came in 2001?")}})

    assert isinstance(_draw(stored), Draw)
