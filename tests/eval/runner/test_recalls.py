"""Recalled texts and their sources on disk: everything comes back, and what texts share is kept once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amem.contract import Source
from amem.errors import ResultsError
from eval.runner.recalls import Recalls, read_recalls, text_hash
from eval.runner.sources import sources_json, sources_of

LINES = st.sampled_from(
    ["", "a", "Ines says: hello there", "Bruno says: good day to you", "March 3, session 1", "\r", "x" * 20]
)
TEXTS = st.lists(st.lists(LINES, min_size=1, max_size=12).map("\n".join), max_size=12)


def written(path: Path, texts: list[str]) -> Path:
    recalls = Recalls()
    rows = [row for text in texts if (row := recalls.add(text))]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@given(TEXTS)
def test_every_text_comes_back_from_memory_and_from_its_rows(texts: list[str]) -> None:
    first, again = Recalls(), Recalls()
    for text in texts:
        if row := first.add(text):
            again.take(json.loads(json.dumps(row)))
    for text in texts:
        assert first[text_hash(text)] == again[text_hash(text)] == text
    assert len(first) == len(again) == len(set(texts))


def test_a_history_that_grows_costs_what_it_grew_by(tmp_path: Path) -> None:
    lines = [f'{"Ines" if n % 2 else "Bruno"} says: "This is the {n}th thing that is said here."' for n in range(400)]
    texts = ["\n\n".join("\n".join(lines[s : s + 20]) for s in range(0, end, 20)) for end in range(20, 401, 20)]
    path = written(tmp_path / "recalls.jsonl", texts)
    assert path.stat().st_size < 1.2 * len(texts[-1]) + 60 * len(texts)
    assert sum(map(len, texts)) > 8 * path.stat().st_size
    assert list(read_recalls(path).values()) == texts


def test_a_window_that_slides_is_one_stretch_and_what_is_new() -> None:
    recalls = Recalls()
    lines = [f"This is the line with the number {n}." for n in range(40)]
    recalls.add("\n".join(lines[:30]))
    row = recalls.add("\n".join(lines[10:32]))
    assert row is not None and row["parts"] == [[10, 20], "\n".join(lines[30:32])]


def test_a_row_that_lost_what_it_builds_on_is_left_out(tmp_path: Path) -> None:
    texts = ["A first text that is long.", "A first text that is long.\nAnd a second line.", "Something else entirely."]
    path = written(tmp_path / "recalls.jsonl", texts)
    path.write_text("".join(path.read_text("utf-8").splitlines(keepends=True)[1:]), "utf-8")
    assert list(read_recalls(path).values()) == texts[2:]


def test_a_row_of_another_kind_is_an_error_that_names_it(tmp_path: Path) -> None:
    path = tmp_path / "recalls.jsonl"
    path.write_text('{"hash": "0", "text": "whole"}\n', "utf-8")
    with pytest.raises(ResultsError, match=r"recalls.jsonl:1: not a recalled text"):
        read_recalls(path)


IDS = st.one_of(
    st.tuples(st.sampled_from(["D1", "S01E01/2", ""]), st.integers(0, 12)).map(lambda pair: f"{pair[0]}:{pair[1]}"),
    st.sampled_from(["D1:01", "D1:", "D1", ":", "D1:²", "D1:-1", "x\n:3"]),
)


@given(st.lists(st.builds(Source, IDS, st.booleans()), max_size=30))
def test_every_source_comes_back_in_order(sources: list[Source]) -> None:
    stored = json.loads(json.dumps(sources_json(sources)))
    assert list(sources_of({"sources": stored})) == sources


def test_turns_in_a_row_are_one_entry() -> None:
    sources = [Source(f"D1:{n}") for n in range(3, 30)] + [Source("D2:1"), Source("D2:2", derived=True)]
    assert sources_json(sources) == [
        {"turn": "D1:3", "to": 29, "derived": False},
        {"turn": "D2:1", "derived": False},
        {"turn": "D2:2", "derived": True},
    ]
