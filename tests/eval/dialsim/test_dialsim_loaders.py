"""The three file formats give the same objects, and what is wrong with a file is said with its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import datasets
import pytest

from amem.errors import DataError
from eval.dialsim.jsonfile import load_json
from eval.dialsim.kinds import ONLY_IN_V1_1, Kind
from eval.dialsim.oracles import Oracles
from eval.dialsim.parquet import load_parquet_folder, load_parquet_hub
from eval.dialsim.pickles import load_pickles, read_oracles
from tests.eval.dialsim import shows


@pytest.mark.parametrize("protocol", range(6))
def test_pickles_give_the_objects_of_the_json(tmp_path: Path, protocol: int) -> None:
    shows.write_pickles(tmp_path, protocol)

    loaded = load_pickles(tmp_path, "harbour", shows.FACTS)

    assert list(loaded.sessions()) == list(load_json(shows.EXAMPLE, "harbour").sessions())


@pytest.mark.parametrize("as_json", [False, True])
def test_parquet_gives_the_objects_of_the_json(tmp_path: Path, as_json: bool) -> None:
    shows.write_pickles(tmp_path, 4)
    shows.write_parquet(tmp_path / "dialsim-harbour", shows.parquet_rows(as_json))

    oracles = read_oracles(tmp_path, "harbour")
    loaded = load_parquet_folder(tmp_path / "dialsim-harbour", "harbour", oracles, shows.FACTS)

    assert list(loaded.sessions()) == list(load_json(shows.EXAMPLE, "harbour").sessions())


def test_the_hub_gives_the_objects_of_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shows.write_parquet(tmp_path, shows.parquet_rows())
    asked: list[Any] = []
    split = datasets.Dataset.from_list(shows.parquet_rows())

    def load_dataset(path: str, **rest: Any) -> datasets.DatasetDict:
        asked.append((path, rest))
        return datasets.DatasetDict(train=split)

    with monkeypatch.context() as patched:
        patched.setattr(datasets, "load_dataset", load_dataset)
        loaded = list(load_parquet_hub("friends", Oracles(), revision="abc").sessions())

    assert asked == [("jiho283/dialsim-friends", {"revision": "abc"})]
    assert loaded == list(load_parquet_folder(tmp_path, "harbour", Oracles(), shows.FACTS).sessions())


def test_an_unreachable_hub_is_explained() -> None:
    with pytest.raises(DataError, match=r"jiho283/dialsim-friends.*by hand"):
        load_parquet_hub("friends", Oracles())


def test_the_agent_and_names_of_a_show_of_ones_own_come_from_the_file() -> None:
    assert load_json(shows.EXAMPLE, "harbour").facts == shows.FACTS


def test_a_show_of_ones_own_must_name_its_agent(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text('{"data": {}}')

    with pytest.raises(DataError, match=r"mine\.json.*_meta\.agent"):
        load_json(tmp_path / "mine.json")


def test_the_example_holds_every_kind() -> None:
    found = {kind for session in shows.example_show().sessions() for kind in session.questions}

    assert found == set(Kind) == set(shows.EXPECTED["kinds_once"])


def test_a_file_with_unknown_two_hop_kinds_is_v1_1(tmp_path: Path) -> None:
    raw = json.loads(shows.EXAMPLE.read_text())
    for session in raw["data"]["S01E02 The Night Post.txt"].values():
        for kind in ONLY_IN_V1_1:
            session["hard_q"].pop(kind, None)
    (tmp_path / "harbour.json").write_text(json.dumps(raw))

    assert load_json(shows.EXAMPLE, "harbour").version == "v1.1"
    assert load_json(tmp_path / "harbour.json").version == "v1.0"


def test_oracles_by_position_and_by_wording() -> None:
    *_, last = shows.example_show().sessions()

    assert last.questions[Kind.PAST_PAST][0].oracle == ("March 3, 2001", "March 10, 2001")
    assert last.questions[Kind.FU_PAST][0].oracle == ("future", "March 10, 2001")
    assert last.questions[Kind.ANS_W_TIME][0].oracle == ("March 10, 2001",)


def test_an_oracle_that_is_no_list_of_dates_is_none() -> None:
    tkg = {"S01E01": {1: {"past": [{"date": 1}], "cur": 7}}}
    data = {"S01E01": {1: shows.session(hard={"past": [shows.question()], "cur": [shows.question()]})}}

    [session] = shows.show_of(data, tkg=tkg).sessions()

    assert session.questions[Kind.PAST][0].oracle is None
    assert session.questions[Kind.CUR][0].oracle is None


def test_empty_questions_are_kept() -> None:
    """Real v1.1 data has some; a loader that refuses them refuses the data."""
    [session] = shows.one_session_show(shows.session(hard={"past": [shows.EDGE_CASES[0]]})).sessions()

    assert session.questions[Kind.PAST][0].variants == {}


DAMAGE: list[tuple[str, Any, str]] = [
    ("date", "1994-09-22", "field 'date'.*not a date"),
    ("date", "February 30, 1994", "field 'date'.*not a date"),
    ("script", None, "field 'script'.*NoneType"),
    ("hard_q", [], "field 'hard_q'.*mapping"),
    ("hard_q", {"pasta": []}, "field 'hard_q'.*unknown kind 'pasta'.*past"),
    ("hard_q", {"ans_w_time": []}, "field 'hard_q'.*unknown kind 'ans_w_time'"),
    ("hard_q", {"past": {}}, r"field 'hard_q\.past'.*list"),
    ("easy_q", {"ans_w_time": []}, r"field 'easy_q\.ans_w_time'.*mapping"),
    ("hard_q", {"past": ["Who?"]}, r"field 'hard_q\.past\.0'.*mapping"),
    ("hard_q", {"past": [{"questions": {}, "options": []}]}, r"field 'hard_q\.past\.0\.answer'.*missing"),
    ("hard_q", {"past": [shows.question() | {"options": "ABCD"}]}, r"field 'hard_q\.past\.0\.options'"),
    ("hard_q", {"past": [shows.question() | {"answer": 3}]}, r"field 'hard_q\.past\.0\.answer'.*int"),
    ("hard_q", {"past": [shows.question() | {"questions": {"default": 3}}]}, r"field 'hard_q\.past\.0\.questions'"),
]


@pytest.mark.parametrize(("field", "value", "message"), DAMAGE)
def test_damage_is_named_with_file_episode_session_and_field(field: str, value: Any, message: str) -> None:
    show = shows.one_session_show(shows.session() | {field: value})

    with pytest.raises(DataError, match=r"harbour\.json, episode 'S01E01', session 1, " + message):
        list(show.sessions())


@pytest.mark.parametrize("field", ["date", "script", "hard_q", "easy_q"])
def test_a_missing_field_is_named(field: str) -> None:
    stored = shows.session()
    del stored[field]

    with pytest.raises(DataError, match=f"session 1, field '{field}': missing"):
        list(shows.one_session_show(stored).sessions())


def test_a_session_without_a_number_is_refused() -> None:
    with pytest.raises(DataError, match="whole number"):
        list(shows.show_of({"S01E01": {"one": shows.session()}}).sessions())


def test_a_doubled_key_in_json_is_refused(tmp_path: Path) -> None:
    (tmp_path / "harbour.json").write_text('{"data": {"S01E01": {}, "S01E01": {}}}')

    with pytest.raises(DataError, match=r"S01E01.*twice"):
        load_json(tmp_path / "harbour.json")


def test_parquet_without_graph_questions_is_refused(tmp_path: Path) -> None:
    rows = [{name: v for name, v in row.items() if not name.startswith("hard")} for row in shows.parquet_rows()]
    shows.write_parquet(tmp_path, rows)

    with pytest.raises(DataError, match="no column hard_qs_<kind>_questions; there are: Episode"):
        load_parquet_folder(tmp_path, "harbour", Oracles(), shows.FACTS)


def test_parquet_lists_of_unequal_length_are_refused(tmp_path: Path) -> None:
    rows = shows.parquet_rows()
    rows[3]["hard_qs_past_answers"] = []
    shows.write_parquet(tmp_path, rows)

    with pytest.raises(DataError, match=r"S01E02.*session 1, field 'hard_qs_past'.*1 questions, 1 options, 0 answers"):
        list(load_parquet_folder(tmp_path, "harbour", Oracles(), shows.FACTS).sessions())


def test_parquet_without_a_script_column_is_refused(tmp_path: Path) -> None:
    shows.write_parquet(tmp_path, [{"Episode": "a"}, {"Episode": "b"}, {"Episode": "c"}])

    with pytest.raises(DataError, match="no column 'Session'"):
        load_parquet_folder(tmp_path, "harbour", Oracles(), shows.FACTS)


def test_a_folder_without_parquet_is_explained(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="holds no parquet file"):
        load_parquet_folder(tmp_path, "friends", Oracles())


def test_parquet_files_of_different_makes_are_refused(tmp_path: Path) -> None:
    rows = shows.parquet_rows()
    shows.write_parquet(tmp_path, rows)
    (tmp_path / "0001.parquet").unlink()
    datasets.Dataset.from_list([row | {"Session": "one"} for row in rows]).to_parquet(tmp_path / "0001.parquet")

    with pytest.raises(DataError, match="damaged, or files of different makes"):
        list(load_parquet_folder(tmp_path, "harbour", Oracles(), shows.FACTS).sessions())


def test_a_file_that_is_no_parquet_is_refused(tmp_path: Path) -> None:
    (tmp_path / "0000.parquet").write_bytes(b"PAR1 it is not")

    with pytest.raises(DataError, match=r"0000\.parquet|can't be loaded"):
        load_parquet_folder(tmp_path, "harbour", Oracles(), shows.FACTS)
