"""A run from configuration to answers: resumable anywhere, the same bytes every time, nothing asked twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from amem.errors import ConfigurationError, HarnessError
from eval.composition import compose
from eval.config import RunConfig
from eval.prepared import prepare
from eval.run import execute

SLICE = ["dataset=sample", "dataset.conversations=[0]", "dataset.sessions=1", "dataset.questions=1"]
SCRIPTED = ["backbone=[scripted]", "method=[amem]", "link.k=2", "retrieve.k=3"]


def configuration(folder: Path, *more: str) -> RunConfig:
    return compose([*SLICE, *SCRIPTED, f"results_dir={folder}", *more])


def do(config: RunConfig) -> Path:
    with ExitStack() as stack:
        prepared = prepare(config, stack)
        execute(prepared)
    return prepared.folder


def calls(folder: Path) -> list[dict[str, int]]:
    return [start["calls"]["scripted"] for start in json.loads((folder / "manifest.json").read_text())["starts"]]


def test_a_second_start_makes_no_call_and_changes_no_byte(tmp_path: Path) -> None:
    folder = do(configuration(tmp_path))
    first = (folder / "answers.jsonl").read_bytes()
    assert do(configuration(tmp_path)) == folder
    assert (folder / "answers.jsonl").read_bytes() == first
    assert [start["made"] > 0 for start in calls(folder)] == [True, False]


def test_answers_are_the_same_bytes_whatever_the_number_of_workers(tmp_path: Path) -> None:
    one = do(configuration(tmp_path / "one", "executor.workers=1", "backbones.scripted.concurrency=1"))
    many = do(configuration(tmp_path / "many", "executor.workers=16", "backbones.scripted.concurrency=16"))
    assert (one / "answers.jsonl").read_bytes() == (many / "answers.jsonl").read_bytes()
    assert one.name == many.name


@pytest.mark.parametrize("change", ["seed=1", "retrieve.k=4", "link.k=3", "prompts=small", "dataset.sessions=2"])
def test_a_changed_configuration_is_another_run(tmp_path: Path, change: str) -> None:
    with ExitStack() as stack:
        one = prepare(configuration(tmp_path), stack).folder
        other = prepare(configuration(tmp_path, change), stack).folder
    assert one != other


@pytest.mark.parametrize("kill_after", [3, 25])
def test_a_run_killed_in_mid_work_goes_on_and_ends_as_if_undisturbed(tmp_path: Path, kill_after: int) -> None:
    undisturbed = do(configuration(tmp_path / "whole", "backbones.scripted.settings.latency=0.0"))
    needed = calls(undisturbed)[0]["made"]
    # Latency is part of the scripted model's speed and not of its identity: the killed run is the same run.
    arguments = [*SLICE, *SCRIPTED, f"results_dir={tmp_path / 'killed'}", "executor.workers=1"]
    records = tmp_path / "killed" / "records.sqlite"
    process = subprocess.Popen(
        [sys.executable, "-m", "eval", *arguments, "backbones.scripted.settings.latency=0.05"],
        cwd=Path(__file__).parents[3],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _wait_for_records(records, kill_after, process)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = _record_count(records)
    assert kill_after <= kept < needed
    folder = do(configuration(tmp_path / "killed"))
    assert calls(folder)[-1]["made"] == needed - kept
    assert _without_seconds(folder) == _without_seconds(undisturbed)


def _without_seconds(folder: Path) -> list[Any]:
    rows = [json.loads(line) for line in (folder / "answers.jsonl").read_text().splitlines()]
    for row in rows:
        for call in row["calls"]:
            del call["seconds"]
    return rows


def _wait_for_records(path: Path, count: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        if path.exists() and _record_count(path) >= count:
            return
        time.sleep(0.02)
    raise AssertionError(f"the run ended ({process.poll()}) or took too long before {count} records")


def _record_count(path: Path) -> int:
    import sqlite3

    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
            return connection.execute("SELECT count(*) FROM replies").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


def test_a_replay_without_records_stops_and_says_so(tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match="records hold no reply"):
        do(configuration(tmp_path, "records.replay_only=true"))


def test_a_replay_with_records_makes_no_call(tmp_path: Path) -> None:
    first = do(configuration(tmp_path / "first"))
    records = f"records.path={tmp_path / 'first' / 'records.sqlite'}"
    again = do(configuration(tmp_path / "again", records, "records.replay_only=true"))
    assert calls(again)[0]["made"] == 0
    assert (again / "answers.jsonl").read_bytes() == (first / "answers.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("methods.amem.settings.retreive_k=4", "did you mean retrieve_k"),
        ("retrieve.k=many", "retrieve.k"),
        ("retreive.k=4", "retreive"),
        ("method=[amemm]", "amemm"),
        ("repeats=0", "repeats"),
    ],
)
def test_a_wrong_override_is_refused_before_anything_runs(tmp_path: Path, override: str, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        configuration(tmp_path, override)


def test_the_command_line_answers_at_once_and_knows_its_commands() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "eval", "--help"],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ},
    )
    assert "score-pairs" in done.stdout
    for heavy in ("torch", "hydra", "pandas", "litellm", "faiss"):
        assert f" {heavy}\n" not in done.stderr


def test_a_run_on_dialsim_resumes_like_any_other(tmp_path: Path) -> None:
    config = compose(["dataset=dialsim_sample", "dialsim.sessions=4", *SCRIPTED, f"results_dir={tmp_path}"])
    folder = do(config)
    first = (folder / "answers.jsonl").read_bytes()
    assert len(first.splitlines()) >= 2
    assert do(config) == folder
    assert (folder / "answers.jsonl").read_bytes() == first
    assert calls(folder)[-1] == {"made": 0, "from_records": 0}
