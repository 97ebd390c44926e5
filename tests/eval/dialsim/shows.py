"""Shows for the tests of DialSim: the example in every file format, and made-up ones of any size."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import datasets

from eval.dialsim.kinds import Kind, Origin
from eval.dialsim.objects import Show, ShowFacts, StoredSession
from eval.dialsim.oracles import Oracles
from eval.dialsim.parse import Place, parse_session, parse_show

EXAMPLE = Path(__file__).parent / "harbour.json"
META: dict[str, Any] = json.loads(EXAMPLE.read_text())["_meta"]
EXPECTED: dict[str, Any] = json.loads(EXAMPLE.read_text())["_expected"]
EDGE_CASES: list[dict[str, Any]] = [case["item"] for case in json.loads(EXAMPLE.read_text())["_edge_cases"]]
FACTS = ShowFacts("harbour", "Orin", META["name_map_shuffle"], META["name_map_new_name"])
IDK = "I don't know. (None of the above)"


def raw_example() -> dict[str, Any]:
    """The example with whole numbers as keys, as the pickles have them."""
    return {field: _numbered(json.loads(EXAMPLE.read_text())[field]) for field in ("data", "oracle_tkg", "oracle_fan")}


def _numbered(value: Any) -> Any:
    if isinstance(value, list):
        return [_numbered(item) for item in value]
    if isinstance(value, dict):
        return {int(key) if key.isdecimal() else key: _numbered(item) for key, item in value.items()}
    return value


def show_of(data: dict[str, Any], **oracles: Any) -> Show:
    """A show of nested containers, with the example's agent."""
    return Show(FACTS, "harbour.json", "v1.1", lambda: parse_show(data, Oracles(**oracles), "harbour.json"))


def example_show() -> Show:
    raw = raw_example()
    return show_of(raw["data"], tkg=raw["oracle_tkg"], fan=raw["oracle_fan"])


def write_pickles(folder: Path, protocol: int, name: str = "harbour") -> None:
    raw = raw_example()
    for field, file in (("data", "dialsim"), ("oracle_tkg", "oracle_tkg"), ("oracle_fan", "oracle_fan")):
        (folder / f"{name}_{file}.pickle").write_bytes(pickle.dumps(raw[field], protocol))


def parquet_rows(as_json: bool = False) -> list[dict[str, Any]]:
    """The example as the hub's rows; with `as_json` every list is JSON text."""
    rows = []
    for episode, sessions in raw_example()["data"].items():
        for number, session in sessions.items():
            row = {"Episode": episode, "Session": number, "Date": session["date"], "Script": session["script"]}
            rows.append(row | _columns(session, as_json))
    return rows


def _columns(session: dict[str, Any], as_json: bool) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    for kind in Kind:
        fan = kind.origin is Origin.FAN
        stored = session["easy_q" if fan else "hard_q"].get(kind.value, {} if fan else [])
        questions = list(stored.values()) if fan else stored
        prefix = f"{'easy' if fan else 'hard'}_qs_{kind}"
        columns[f"{prefix}_questions"] = [question["questions"] for question in questions]
        columns[f"{prefix}_options"] = [question["options"] for question in questions]
        columns[f"{prefix}_answers"] = [question["answer"] for question in questions]
        if fan:
            columns[f"{prefix}_idxes"] = list(stored)
    return {name: json.dumps(value) if as_json else value for name, value in columns.items()}


def write_parquet(folder: Path, rows: list[dict[str, Any]]) -> None:
    """Two files of one schema, as the hub has them, so that their order matters."""
    folder.mkdir(parents=True, exist_ok=True)
    whole = datasets.Dataset.from_list(rows)
    for number, part in enumerate((range(2), range(2, len(rows)))):
        whole.select(part).to_parquet(folder / f"{number:04d}.parquet")


def question(default: str = "Who?", *, answer: str = "A", **variants: str) -> dict[str, Any]:
    return {"questions": {"default": default, **variants}, "options": ["A", "B", "C", "D", IDK], "answer": answer}


def session(
    script: str = "Juno: Hello.\nOrin: Good day.\nJuno: Bye.",
    *,
    date: str = "March 3, 2001",
    hard: dict[str, Any] | None = None,
    easy: dict[str, Any] | None = None,
) -> dict[str, Any]:
    return {"date": date, "script": script, "hard_q": hard or {}, "easy_q": easy or {}}


def one_session_show(stored: dict[str, Any]) -> Show:
    return show_of({"S01E01": {1: stored}})


def made_up_show(name: str, agent: str, askable: int, silent: int) -> Show:
    """A show with as many sessions that can have a question, and as many where the agent is silent, in turn."""

    def sessions() -> Iterator[StoredSession]:
        total = askable + silent
        for number in range(total):
            is_silent = (number + 1) * silent // total > number * silent // total
            speaker = "Narrator" if is_silent else agent
            raw = session(
                f"Ada: One.\nBo: Two.\n{speaker}: Three.\n{speaker}: Four.\nAda: Five.",
                date=f"March {1 + number % 28}, {2001 + number // 400}",
                hard={"past": [question()], "cur": [question()], "fu": [question(answer=IDK)]},
                easy={"ans_wo_time": {1: question()}, "dont_know_unans": {2: question(answer=IDK)}},
            )
            place = Place(name, f"S{number // 20:02d}", str(number % 20))
            yield parse_session(raw, place, Oracles())

    return Show(ShowFacts(name, agent), name, "v1.1", sessions)
