"""RECORDS=file: an exported record file is replayed without a model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from amem.errors import HarnessError
from amem.lm.records import RecordStore
from eval.composition import compose
from eval.run import run

SMALL = ["name=tiny", "dataset=sample", "dataset.conversations=[0]", "dataset.sessions=1", "dataset.questions=1"]


def do(folder: Path, *overrides: str) -> Path:
    return run(compose([*SMALL, "backbone=[scripted]", "method=[locomo]", f"results_dir={folder}", *overrides]))


def test_an_exported_file_is_replayed_elsewhere_and_says_so(tmp_path, monkeypatch, capsys):
    first = do(tmp_path / "first")
    with RecordStore(tmp_path / "first" / "records.sqlite") as store:
        store.export(tmp_path / "records.jsonl.xz")
    monkeypatch.setenv("RECORDS", str(tmp_path / "records.jsonl.xz"))
    capsys.readouterr()
    again = do(tmp_path / "again")
    assert "no model is called" in capsys.readouterr().out
    assert (again / "answers.jsonl").read_bytes() == (first / "answers.jsonl").read_bytes()
    starts = json.loads((again / "manifest.json").read_text())["starts"]
    assert sum(made["made"] for made in starts[0]["calls"].values()) == 0


def test_a_file_that_does_not_hold_the_run_is_refused_with_the_call_it_lacks(tmp_path):
    with RecordStore(":memory:") as store:
        store.export(tmp_path / "empty.jsonl.xz")
    with pytest.raises(HarnessError, match=r"no reply to this answer_\w+ request"):
        do(tmp_path / "run", f"records.replay_from={tmp_path / 'empty.jsonl.xz'}")
