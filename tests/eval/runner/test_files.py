"""Files that are whole or not there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amem.contract import Snapshot
from amem.errors import ResultsError
from eval.runner.files import json_line, read_jsonl, write_text
from eval.runner.memory_files import load_memory, save_memory


@given(st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=20), max_size=3), max_size=5))
def test_lines_come_back_whatever_characters_they_hold(tmp_path_factory: pytest.TempPathFactory, rows: list) -> None:
    path = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    path.write_text("".join(map(json_line, rows)), encoding="utf-8", newline="")
    assert list(read_jsonl(path)) == rows


def test_a_cut_last_line_is_passed_over_only_when_asked(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"a": 1}\n{"a": 2', encoding="utf-8")
    assert list(read_jsonl(path, tolerate_cut_end=True)) == [{"a": 1}]
    with pytest.raises(ResultsError, match=r"rows.jsonl:2"):
        list(read_jsonl(path))


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "f"
    write_text(path, "old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("eval.runner.files.os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_text(path, "new")
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["f"]


def test_a_memory_comes_back_and_a_damaged_one_is_refused(tmp_path: Path) -> None:
    snapshot = Snapshot({"notes": ["é"]}, {"vectors": np.arange(6, dtype=np.float32).reshape(2, 3)})
    key = save_memory(tmp_path / "conv", snapshot, {"turns": 2})
    loaded = load_memory(tmp_path / "conv")
    assert loaded is not None
    assert loaded[0].state == snapshot.state
    np.testing.assert_array_equal(loaded[0].arrays["vectors"], snapshot.arrays["vectors"])
    assert key
    path = tmp_path / "conv.json"
    path.write_text(path.read_text("utf-8").replace("é", "e"), "utf-8")
    with pytest.raises(ResultsError, match="hash differs"):
        load_memory(tmp_path / "conv")


def test_a_memory_that_was_never_saved_is_none(tmp_path: Path) -> None:
    assert load_memory(tmp_path / "conv") is None
