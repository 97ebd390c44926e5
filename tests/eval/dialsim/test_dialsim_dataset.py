"""From configuration to passes, and what is said of the data."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from amem.errors import ConfigurationError, DataError
from eval.dialsim.census import census, differences
from eval.dialsim.dataset import DialSimConfig, load_dialsim
from eval.dialsim.replay import replay
from tests.eval.dialsim import shows


def test_without_data_the_sample_is_taken_and_named(tmp_path: Path) -> None:
    data = load_dialsim(DialSimConfig(data_dir=str(tmp_path)), seed=0)

    assert data.is_sample
    assert data.licence.startswith("CC0")
    assert re.match(r"Data: the DialSim sample .* there is no data in .*dialsim; .* can't be compared", data.line)
    assert data.description == "greywater, 14 sessions: 79 turns, 10 questions"


def test_data_that_is_there_but_incomplete_is_no_reason_for_the_sample(tmp_path: Path) -> None:
    (tmp_path / "dialsim").mkdir()
    shows.write_pickles(tmp_path / "dialsim", 4, "friends")

    assert not load_dialsim(DialSimConfig(data_dir=str(tmp_path)), seed=0).is_sample
    with pytest.raises(DataError, match="no DialSim data for 'bigbang'"):
        load_dialsim(DialSimConfig(data_dir=str(tmp_path), shows=["friends", "bigbang"]), seed=0)


def test_asking_for_the_official_data_never_gives_the_sample(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no DialSim data"):
        load_dialsim(DialSimConfig(source="official", data_dir=str(tmp_path)), seed=0)


def test_counts_that_are_not_the_official_ones_are_told(tmp_path: Path) -> None:
    (tmp_path / "dialsim").mkdir()
    shows.write_pickles(tmp_path / "dialsim", 4, "friends")
    config = DialSimConfig(data_dir=str(tmp_path))

    assert "friends: 4 sessions where the official data has 788" in load_dialsim(config, seed=0).line
    assert "official data has" not in load_dialsim(replace(config, sessions=2), seed=0).line


def test_a_show_of_the_official_counts_differs_in_nothing_that_is_counted_alike() -> None:
    plan = replay(shows.made_up_show("friends", "Ross", 783, 5), seed=0)

    assert (census(plan)["sessions"], census(plan)["questions"]) == (788, 783)
    assert not [line for line in differences(plan) if "sessions" in line or "questions" in line]


def test_the_hash_is_that_of_what_is_played() -> None:
    one, same, other, renamed = (
        load_dialsim(DialSimConfig(source="sample", names=names), seed=seed).sha256
        for names, seed in (("original", 0), ("original", 0), ("original", 1), ("shuffle", 0))
    )

    assert one == same
    assert len({one, other, renamed}) == 3


@pytest.mark.parametrize(("episodes", "sessions", "played"), [(1, None, 4), (None, 6, 6), (2, 3, 3), (9, 99, 14)])
def test_a_pass_can_be_cut_to_its_beginning(episodes: int | None, sessions: int | None, played: int) -> None:
    config = DialSimConfig(source="sample", episodes=episodes, sessions=sessions)
    [plan] = load_dialsim(config, seed=0).plans

    assert plan.session_count == played


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("names", "swapped"),
        ("answer_format", "essay"),
        ("style", "long"),
        ("source", "web"),
        ("shows", []),
        ("shows", ["friends", "friends"]),
    ],
)
def test_an_impossible_value_is_refused(field: str, value: object) -> None:
    with pytest.raises(ConfigurationError, match=rf"dialsim\.{field}"):
        load_dialsim(replace(DialSimConfig(source="sample"), **{field: value}), seed=0)  # type: ignore[arg-type]


def test_sessions_without_a_question_are_counted_by_reason() -> None:
    data = load_dialsim(DialSimConfig(source="sample"), seed=0)

    assert (data.name, data.left_out) == ("dialsim-sample", {"agent_silent": 3, "no_asker": 1})
