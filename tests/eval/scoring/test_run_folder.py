"""A run's folder is read as it stands, and what is wrong or missing in it is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from amem.errors import ResultsError
from eval.scoring.run_folder import read_run
from eval.tables.meta import RunMeta
from tests.eval.scoring.made_answers import answers, manifest, write_run

ROWS = answers({"amem": 0.5, "locomo": 0.25})


def stored(folder: Path, **changes: object) -> Path:
    run = write_run(folder, ROWS, manifest())
    path = run / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **changes}), "utf-8")
    return run


def test_an_unfinished_run_is_called_so_in_every_caption(tmp_path: Path) -> None:
    count = len(ROWS)
    whole = read_run(stored(tmp_path / "whole", starts=[{"started": "now", "expected": count}]))
    assert not RunMeta.from_manifest(whole.manifest).data.startswith("UNFINISHED")
    cut = read_run(stored(tmp_path / "cut", starts=[{"started": "now", "expected": count + 5}]))
    data = RunMeta.from_manifest(cut.manifest).data
    assert data.startswith(f"UNFINISHED RUN, {count} of {count + 5} answers so far: ")


def test_a_manifest_of_something_else_is_refused(tmp_path: Path) -> None:
    run = stored(tmp_path)
    (run / "manifest.json").write_text("{}", "utf-8")
    with pytest.raises(ResultsError, match="not the manifest of a run"):
        read_run(run)


def test_answers_in_another_encoding_are_refused(tmp_path: Path) -> None:
    run = stored(tmp_path)
    with (run / "answers.jsonl").open("ab") as file:
        file.write(b"\xff\n")
    with pytest.raises(ResultsError, match="not UTF-8"):
        read_run(run)
