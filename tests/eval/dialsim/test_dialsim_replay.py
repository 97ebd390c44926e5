"""A plan: what a memory takes in, and what it is asked in between."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amem.contract import Session
from amem.errors import DataError
from eval.dialsim.jsonfile import load_json
from eval.dialsim.kinds import Kind
from eval.dialsim.names import NameMode
from eval.dialsim.objects import Show
from eval.dialsim.oracles import Oracles
from eval.dialsim.parquet import load_parquet_folder
from eval.dialsim.pickles import load_pickles, read_oracles
from eval.dialsim.plan import Ask, Plan
from eval.dialsim.replay import replay
from tests.eval.dialsim import shows

seeds = st.integers(0, 10**6)


def _plans(count: int = 200, **options: Any) -> list[Plan]:
    return [replay(shows.example_show(), seed=seed, **options) for seed in range(count)]


def _ids(turn_owner: Session) -> list[str]:
    return [turn.id for turn in turn_owner.turns]


def test_the_example_asks_in_the_sessions_that_can_be_asked_in() -> None:
    askable = [e for e in shows.EXPECTED["sessions"] if e["askable"]]
    for plan in _plans(50):
        asked = [ask.session_id for ask in plan.asks()]

        assert asked == [f"{e['episode'].removesuffix('.txt')}/{e['session']}" for e in askable]


def test_every_kind_is_asked_in_some_pass() -> None:
    assert {ask.kind for plan in _plans() for ask in plan.asks()} == set(Kind)


def test_session_numbers_of_the_header_start_again_with_each_date() -> None:
    [plan] = _plans(1)

    assert list(plan.header_numbers.values()) == [e["header_session_no"] for e in shows.EXPECTED["sessions"]]


def test_turn_ids_name_episode_session_and_utterance() -> None:
    [plan] = _plans(1)

    assert _ids(next(plan.sessions()))[0] == "S01E01 The Leaky Roof/1:1"


@given(seed=seeds, mode=st.sampled_from(NameMode))
def test_a_plan_is_a_function_of_data_seed_and_mode(seed: int, mode: NameMode) -> None:
    first, second = (replay(shows.example_show(), seed=seed, names=mode) for _ in range(2))

    assert first == second
    assert first.sha256 == second.sha256


def test_seeds_give_different_passes() -> None:
    assert len({plan.sha256 for plan in _plans(20)}) > 5


@pytest.mark.parametrize("as_parquet", [False, True])
def test_the_plan_does_not_depend_on_the_file_format(tmp_path: Path, as_parquet: bool) -> None:
    shows.write_pickles(tmp_path, 4)
    shows.write_parquet(tmp_path / "parquet", shows.parquet_rows())
    oracles = read_oracles(tmp_path, "harbour")
    show = (
        load_parquet_folder(tmp_path / "parquet", "harbour", oracles, shows.FACTS)
        if as_parquet
        else load_pickles(tmp_path, "harbour", shows.FACTS)
    )

    assert replay(show, seed=3) == replay(load_json(shows.EXAMPLE, "harbour"), seed=3)


@given(seed=seeds)
def test_at_most_one_question_a_session(seed: int) -> None:
    asked = [ask.session_id for ask in replay(shows.example_show(), seed=seed).asks()]

    assert len(set(asked)) == len(asked)


@given(seed=seeds)
def test_a_question_comes_right_after_its_trigger_and_before_anything_later(seed: int) -> None:
    steps = replay(shows.example_show(), seed=seed).steps
    for before, step in pairwise(steps):
        if isinstance(step, Ask):
            assert isinstance(before, Session)
            assert (before.id, before.part) == (step.session_id, 0)
            assert before.turns[-1].id == step.trigger
            assert before.turns[-1].speaker == "Orin"


@given(seed=seeds)
def test_every_utterance_is_taken_in_once_and_in_order(seed: int) -> None:
    """The released simulator may leave a part of a session in the memory beside the whole one."""
    plan = replay(shows.example_show(), seed=seed)
    taken_in = [turn for part in plan.sessions() for turn in _ids(part)]

    expected = [
        f"{e['episode'].removesuffix('.txt')}/{e['session']}:{k + 1}"
        for e in shows.EXPECTED["sessions"]
        for k in range(e["utterances"])
    ]
    assert taken_in == expected


def test_the_parts_of_a_session_share_all_but_their_turns() -> None:
    for plan in _plans(20):
        for first, second in pairwise(plan.sessions()):
            if second.part == 1:
                assert replace(first, turns=(), part=0) == replace(second, turns=(), part=0)


def test_a_trigger_that_ends_its_session_leaves_no_empty_part() -> None:
    stored = shows.session("Juno: One.\nOrin: Two.", hard={"past": [shows.question()]})
    plan = replay(shows.one_session_show(stored), seed=0)

    assert [type(step) for step in plan.steps] == [Session, Ask]


def test_a_session_without_words_is_counted_but_not_taken_in() -> None:
    plan = replay(shows.show_of({"E": {1: shows.session("\n"), 2: shows.session()}}), seed=0)

    assert [session.number for session in plan.sessions()] == [2]
    assert (plan.session_count, sum(plan.unasked.values())) == (2, 2)


@given(seed=seeds)
def test_no_evidence_is_later_than_the_question(seed: int) -> None:
    """The released simulator's oracle shows the rest of the session in which it is asked."""
    seen: set[str] = set()
    for step in replay(shows.example_show(), seed=seed).steps:
        if isinstance(step, Session):
            seen.update(_ids(step))
        else:
            assert set(step.evidence) <= seen


def _ask_of(kind: Kind) -> Ask:
    return next(ask for plan in _plans() for ask in plan.asks() if ask.kind is kind)


def test_evidence_is_all_that_was_said_on_the_oracles_days() -> None:
    ask = _ask_of(Kind.PAST_PAST)
    assert ask.evidence_days is not None
    first, second = ask.evidence_days

    assert (first.date_text, second.date_text) == ("March 3, 2001", "March 10, 2001")
    assert first.turn_ids == tuple(
        f"S01E01 The Leaky Roof/{number}:{k + 1}" for number, count in ((1, 6), (2, 2)) for k in range(count)
    )
    assert ask.evidence == (*first.turn_ids, *second.turn_ids)


def test_unanswerable_questions_have_no_evidence() -> None:
    assert _ask_of(Kind.PAST_FU).evidence_days == ()
    assert _ask_of(Kind.DONT_KNOW_UNANS_TIME).evidence_days == ()


def test_a_fan_question_without_a_date_rests_on_its_episode_so_far() -> None:
    data = {"E1": {1: shows.session()}, "E2": {1: shows.session(), 2: shows.session(easy=_fan("ans_wo_time"))}}
    [ask] = replay(shows.show_of(data), seed=0).asks()

    assert ask.evidence == ("E2/1:1", "E2/1:2", "E2/1:3", "E2/2:1", "E2/2:2")


def test_without_an_oracle_the_evidence_is_unknown_and_not_empty() -> None:
    [ask] = replay(shows.one_session_show(shows.session(easy=_fan("ans_w_time"))), seed=0).asks()

    assert ask.evidence_days is None


def _fan(kind: str) -> dict[str, Any]:
    return {kind: {1: shows.question()}}


def test_stored_order_is_kept_where_dates_run_backwards() -> None:
    """The Office is stored by the names of its files; its questions rest on that order."""
    data = {
        "Episode_10": {1: shows.session(date="March 13, 2009")},
        "Episode_1": {1: shows.session(date="December 4, 2008", hard={"past": [shows.question()]})},
    }
    tkg = {"Episode_1": {1: {"past": [["March 13, 2009"]]}}}
    plan = replay(shows.show_of(data, tkg=tkg), seed=0)
    [ask] = plan.asks()

    assert [session.date_text for session in plan.sessions()][:2] == ["March 13, 2009", "December 4, 2008"]
    assert ask.evidence == ("Episode_10/1:1", "Episode_10/1:2", "Episode_10/1:3")


def test_a_date_that_comes_back_numbers_its_sessions_from_one() -> None:
    dates = ["March 3, 2001", "March 4, 2001", "March 3, 2001", "March 3, 2001"]
    data = {"E": {number: shows.session(date=date) for number, date in enumerate(dates)}}

    assert list(replay(shows.show_of(data), seed=0).header_numbers.values()) == [1, 1, 1, 2]


@given(seed=seeds, mode=st.sampled_from([NameMode.SHUFFLE, NameMode.NEW_NAME]))
def test_name_modes_change_names_and_nothing_else(seed: int, mode: NameMode) -> None:
    plain = replay(shows.example_show(), seed=seed)
    renamed = replay(shows.example_show(), seed=seed, names=mode)

    assert [_shape(step) for step in renamed.steps] == [_shape(step) for step in plain.steps]
    if mode is NameMode.NEW_NAME:
        text = repr([[(t.speaker, t.text) for t in s.turns] for s in renamed.sessions()])
        text += repr([(a.question.text, a.options, a.answer, a.reference) for a in renamed.asks()])
        assert not [name for name in shows.META["main_cast"] if name in text]


def _shape(step: Session | Ask) -> Any:
    return _ids(step) if isinstance(step, Session) else (step.question.id, step.trigger, step.correct, step.evidence)


def test_the_gold_of_the_text_formats_is_renamed_too() -> None:
    """The released simulator leaves it as it was, so that the right answer counts as wrong."""
    golds = {
        mode: {ask.reference for plan in _plans(60, names=mode) for ask in plan.asks() if ask.kind is Kind.PAST}
        for mode in NameMode
    }

    assert golds == {NameMode.ORIGINAL: {"Juno"}, NameMode.SHUFFLE: {"Orin"}, NameMode.NEW_NAME: {"Linda"}}


def test_agent_and_askers_are_renamed() -> None:
    plan = replay(shows.example_show(), seed=0, names=NameMode.SHUFFLE)

    assert plan.agent == "Juno"
    for before, step in pairwise(plan.steps):
        if isinstance(step, Ask) and isinstance(before, Session):
            assert before.turns[-1].speaker == "Juno"
            assert step.question.text == f"{step.question.asker}: {step.wording}"
            assert "Juno" not in (step.question.asker or "")


def test_golds_as_dialsim_has_them() -> None:
    for plan in _plans():
        for ask in plan.asks():
            assert (ask.reference == "I don't know.") is (not ask.answerable)
            assert ask.answer.lower() == ask.options[ask.correct].lower()


@given(seed=seeds, episodes=st.integers(0, 3))
def test_fewer_episodes_are_the_beginning_of_the_same_pass(seed: int, episodes: int) -> None:
    whole = replay(shows.example_show(), seed=seed).steps
    part = replay(shows.example_show(), seed=seed, episodes=episodes).steps

    assert part == whole[: len(part)]


@pytest.mark.parametrize(("turns", "sessions"), [(1, 1), (12, 2), (13, 2), (14, 3), (99, 4)])
def test_a_pass_can_be_cut_where_so_many_turns_are_played(turns: int, sessions: int) -> None:
    whole, cut = replay(shows.example_show(), seed=3), replay(shows.example_show(), seed=3, turns=turns)
    assert cut.session_count == sessions
    assert cut.steps == whole.steps[: len(cut.steps)]


def test_a_session_that_comes_twice_is_refused() -> None:
    show = shows.example_show()
    doubled = Show(show.facts, show.source, show.version, lambda: iter([*show.sessions(), *show.sessions()]))

    with pytest.raises(DataError, match=r"'S01E01 The Leaky Roof.txt' has session 1 twice"):
        replay(doubled, seed=0)


def test_oracle_files_are_not_needed() -> None:
    raw = shows.raw_example()
    plan = replay(shows.show_of(raw["data"]), seed=0)

    assert [_shape(step)[:3] for step in plan.steps if isinstance(step, Ask)] == [
        _shape(step)[:3] for step in replay(shows.example_show(), seed=0).steps if isinstance(step, Ask)
    ]
    assert Oracles() == Oracles(None, None)


FULL_PASS = {"friends": ("Ross", 783, 5), "bigbang": ("Sheldon", 788, 17), "theoffice": ("Michael", 1707, 640)}


@pytest.mark.parametrize("seed", [0, 1])
def test_a_full_pass_over_shows_of_the_official_sizes_asks_3278_questions(seed: int) -> None:
    """The official data's sessions with and without a possible question; every one that can be asked in is."""
    plans = [replay(shows.made_up_show(name, *sizes), seed=seed) for name, sizes in FULL_PASS.items()]
    asked = [sum(1 for _ in plan.asks()) for plan in plans]

    assert asked == [783, 788, 1707]
    assert sum(asked) == 3278
    assert [plan.session_count for plan in plans] == [788, 805, 2347]
