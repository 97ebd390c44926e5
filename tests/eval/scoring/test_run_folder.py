"""A run's folder is read as it stands, and what is wrong or missing in it is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from amem.errors import ResultsError
from eval.report.build import write_report
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


@pytest.mark.parametrize("is_file_made", [True, False])
def test_a_run_that_was_stopped_before_its_first_answer_can_go_on(tmp_path: Path, is_file_made: bool) -> None:
    run = write_run(tmp_path, [], manifest())
    if not is_file_made:
        (run / "answers.jsonl").unlink()
    with pytest.raises(ResultsError, match=r"no answers to score yet.*the command that started it goes on"):
        write_report(run)


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
