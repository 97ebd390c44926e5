"""Several jobs of one command: records, skipping, failures, and one table of all."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from amem.errors import ConfigurationError, ResultsError
from amem.lm.records import RecordStore
from eval.__main__ import main
from eval.composition import composed
from eval.datasets.categories import Category
from eval.multirun.check import check_jobs, folder_of
from eval.multirun.collect import collect
from eval.multirun.jobs import JobRecord, Status, key_of, prepare, read, varied, write
from eval.multirun.work import do_job
from eval.reporting import write_scores
from eval.scoring.scores import score_answers
from eval.tables.collected import collected_table
from eval.tables.csv_text import to_csv
from eval.tables.text import to_text
from tests.eval.scoring.made_answers import answers, manifest, write_run

ROOT = Path(__file__).parents[3]
SMALL = ["backbone=[scripted]", "dataset=sample", "dataset.conversations=[0]", "dataset.sessions=1",
         "dataset.questions=1", "link.k=1", "scoring.metrics=[f1_amem_set,f1_locomo,bleu1]"]  # fmt: skip


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "eval", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


def calls_made(run: str | None) -> int:
    """In all starts of a run."""
    starts = json.loads(Path(str(run), "manifest.json").read_text())["starts"]
    return sum(start["calls"]["scripted"]["made"] for start in starts)


def records_in(path: Path) -> int:
    with RecordStore(path) as store:
        return store.counts()["replies"]


LAUNCHERS = ["basic", *(pytest.param(name, marks=pytest.mark.slow) for name in ("joblib", "submitit_local"))]


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_jobs_share_one_record_store_and_a_finished_one_is_skipped(tmp_path: Path, launcher: str) -> None:
    if launcher == "submitit_local":
        pytest.importorskip("hydra_plugins.hydra_submitit_launcher", reason="make extras EXTRAS=submitit")
    sweep = ["-m", *SMALL, "method=amem,locomo", "retrieve.k=1,2", f"results_dir={tmp_path}",
             f"hydra/launcher={launcher}"]  # fmt: skip
    first = command(*sweep)
    assert first.returncode == 0, first.stderr
    (folder,) = (tmp_path / "multirun").iterdir()
    jobs = read(folder)
    assert [job.status for job in jobs] == [Status.FINISHED] * 4
    assert (tmp_path / "records.sqlite").is_file()
    # Both k build the same memory, and the full context knows no k: what two jobs ask alike is asked once.
    assert sum(calls_made(job.run) for job in jobs) == records_in(tmp_path / "records.sqlite")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("answers.jsonl")}
    again = command(*sweep)
    # What jobs under submitit print goes to files.
    printed = again.stdout + "".join(path.read_text() for path in folder.glob(".submitit/*/*_log.out"))
    assert again.returncode == 0 and printed.count("finished before") == 4
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("answers.jsonl")} == before


def test_a_failed_job_leaves_the_others_alone_and_can_be_done_alone(tmp_path: Path) -> None:
    # No job may call, and only the second one finds records.
    alone = [*SMALL, "method=locomo", f"results_dir={tmp_path}"]
    assert command(*alone, "seed=1").returncode == 0
    done = command("-m", *alone, "records.replay_only=true", "seed=0,1")
    assert done.returncode == 1
    assert "1 of 2 jobs finished" in done.stdout and "FAILED job 0" in done.stdout
    (folder,) = (tmp_path / "multirun").iterdir()
    assert [job.status for job in read(folder)] == [Status.FAILED, Status.FINISHED]
    assert "records hold no reply" in str(read(folder)[0].error)
    assert command(*alone, "seed=0").returncode == 0
    again = command("rerun", str(folder))
    assert again.returncode == 0 and "2 of 2 jobs finished" in again.stdout
    assert again.stdout.count("job 1") == 0
    table = command("collect", str(folder))
    assert "LoCoMo" in table.stdout
    assert (folder / "figure.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("methods.amem.settings.link_cap=shared,bogus", r"job 1 .*link_cap: Input should be"),
        ("retrieve.k=1,many", "retrieve.k"),
        ("method=amem,amemm", "amemm"),
        ("retreive.k=1,2", "retreive"),
    ],
)
def test_a_job_that_can_not_run_is_told_before_the_first_one_starts(override: str, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        check_jobs([*SMALL, override])


@pytest.mark.parametrize("override", ["scoring.idk=phrase,option", "budget.usd=1,2"])
def test_jobs_that_would_be_one_run_are_refused(override: str) -> None:
    with pytest.raises(ConfigurationError, match=r"job 0 .* and job 1 .* would be one run"):
        check_jobs([*SMALL, override])


def test_a_price_is_part_of_what_a_run_is() -> None:
    assert len(check_jobs([*SMALL, "method=locomo", "backbones.scripted.prices.input_per_million=1,2"]) or ()) == 2


def test_jobs_of_a_right_command_pass_the_check() -> None:
    sweep = ["backbone=scripted,embedded", "method=amem,locomo", "seed=range(3)", "hydra/launcher=joblib"]
    jobs = check_jobs([*SMALL[1:], *sweep])
    assert jobs is not None and len(jobs) == 12
    assert {"backbone=embedded", "method=locomo", "seed=2"} <= set(jobs[-1])


def folder_for(*overrides: str) -> Path:
    command = [*SMALL, *overrides]
    return folder_of(command, check_jobs(command))


def test_the_same_jobs_are_the_same_multirun_whoever_launches_them_and_however_they_are_written() -> None:
    own = folder_for("seed=1,2", "retrieve.k=3")
    assert own.parent == Path("results/multirun")
    assert folder_for("seed=1,2", "retrieve.k=3", "hydra/launcher=joblib", "executor.workers=3") == own
    assert folder_for("retrieve.k=3", "seed=2,1") == own
    assert folder_for("seed=1,3", "retrieve.k=3") != own
    assert folder_for("seed=1", "retrieve.k=3") != own


def test_jobs_that_vary_what_does_not_change_an_answer_do_not_share_a_folder_with_fewer(tmp_path: Path) -> None:
    assert key_of([("seed=1", "budget.usd=1"), ("seed=1", "budget.usd=2")]) != key_of([("seed=1", "budget.usd=1")])


@pytest.mark.parametrize(("override", "folder"), [("results_dir='a b/it\\'s'", "a b/it's"), ("results_dir=a", "a")])
def test_the_folder_of_results_is_read_as_hydra_reads_it(override: str, folder: str) -> None:
    assert folder_for("seed=1,2", override).parent == Path(folder) / "multirun"


def test_a_folder_of_results_for_each_job_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="share one folder of results"):
        folder_for("results_dir=a,b")


def test_a_folder_with_a_space_holds_a_multirun(tmp_path: Path) -> None:
    done = command("-m", *SMALL, "method=locomo", "seed=0,1", f"results_dir='{tmp_path / 'my results'}'")
    assert done.returncode == 0, done.stderr
    (folder,) = (tmp_path / "my results" / "multirun").iterdir()
    assert [job.status for job in read(folder)] == [Status.FINISHED] * 2


def test_a_killed_multirun_remembers_the_jobs_that_had_not_begun(tmp_path: Path) -> None:
    slow = "backbones.scripted.settings.latency=30"
    sweep = ["-m", *SMALL, "method=locomo", "seed=range(3)", slow, f"results_dir={tmp_path}"]
    process = subprocess.Popen([sys.executable, "-m", "eval", *sweep], cwd=ROOT, stderr=subprocess.DEVNULL)
    try:
        until(lambda: any(path.stat().st_size for path in tmp_path.glob("*/manifest.json")))
    finally:
        process.kill()
        process.wait()
    (folder,) = (tmp_path / "multirun").iterdir()
    assert [job.status for job in read(folder)] == [Status.STARTED, Status.WAITING, Status.WAITING]
    assert [dict(each.partition("=")[::2] for each in job.overrides)["seed"] for job in read(folder)] == ["0", "1", "2"]


@pytest.mark.slow
def test_the_workers_of_a_killed_multirun_end_with_it(tmp_path: Path) -> None:
    sweep = ["-m", *SMALL, "method=locomo", "seed=range(4)", "backbones.scripted.settings.latency=30",
             f"results_dir={tmp_path}", "hydra/launcher=joblib", "hydra.launcher.n_jobs=2"]  # fmt: skip
    process = subprocess.Popen([sys.executable, "-m", "eval", *sweep], cwd=ROOT, stderr=subprocess.DEVNULL)
    try:
        until(lambda: len(list(tmp_path.glob("*/manifest.json"))) == 2)
        workers = [Path("/proc", pid) for pid in children_of(process.pid)]
    finally:
        process.terminate()
        process.wait()
    assert len(workers) >= 2
    until(lambda: not any(worker.exists() for worker in workers))


def children_of(pid: int) -> list[str]:
    return [child for path in Path("/proc", str(pid), "task").glob("*/children") for child in path.read_text().split()]


def test_a_job_that_holds_a_key_leaves_no_trace_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    overrides = ["backbone=[scripted]", "tracking.uri=http://ann:pass-word@host/"]
    do_job(tmp_path, 0, overrides, composed(overrides))
    (job,) = read(tmp_path)
    assert job.status is Status.FAILED and "tracking.uri" in str(job.error)
    assert "pass-word" not in str(job) + capsys.readouterr().err


def until(there: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not there():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_jobs_of_another_command_are_not_taken_over(tmp_path: Path) -> None:
    prepare(tmp_path, [("seed=0",), ("seed=1",)], None)
    prepare(tmp_path, [("seed=1",), ("seed=0", "budget.usd=3")], None)
    assert [job.overrides for job in read(tmp_path)] == [("seed=1",), ("seed=0", "budget.usd=3")]
    with pytest.raises(ConfigurationError, match=r"holds the jobs of another command, such as job 0 \(seed=1\)"):
        prepare(tmp_path, [("seed=0",)], None)


def test_results_may_move_and_a_run_that_is_gone_is_not_finished(folder: Path, tmp_path: Path) -> None:
    moved = Path(shutil.copytree(tmp_path, tmp_path.with_name(f"{tmp_path.name}-moved")))
    (moved / "run-1" / "manifest.json").unlink()
    jobs = read(moved / "m")
    assert jobs[0].run == str(moved / "run-0")
    assert [job.status for job in jobs[:3]] == [Status.FINISHED, Status.WAITING, Status.FINISHED]
    assert collect(moved / "m").missing[0] == jobs[1]


def test_a_folder_without_jobs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="holds no jobs"):
        read(tmp_path)


def test_a_damaged_job_record_is_named(tmp_path: Path) -> None:
    write(tmp_path, JobRecord(0, ("seed=1",), Status.STARTED))
    (tmp_path / "jobs" / "0.json").write_text("{}")
    with pytest.raises(ResultsError, match=r"0\.json"):
        read(tmp_path)


def test_what_varies_between_jobs() -> None:
    jobs = [JobRecord(n, ("method=a", f"seed={n}", f"retrieve.k={n // 2}"), Status.FINISHED) for n in range(4)]
    assert varied(jobs) == ["seed", "retrieve.k"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two k, two seeds each; one job of a third k failed."""
    for number, (k, seed) in enumerate([(10, 0), (10, 1), (20, 0), (20, 1)]):
        rows = [{**row, "seed": seed} for row in answers({"amem": 0.2 + 0.02 * k + 0.1 * seed}, conversations=3)]
        run = write_run(tmp_path / f"run-{number}", rows, {**manifest(["amem"]), "seeds": [seed]})
        write_scores(run / "scores.parquet", score_answers(rows, metrics=("f1_amem_set", "f1_locomo", "bleu1")))
        job = (f"retrieve.k={k}", f"seed={seed}", "method=amem")
        write(tmp_path / "m", JobRecord(number, job, Status.FINISHED, run=str(run)))
    write(tmp_path / "m", JobRecord(4, ("retrieve.k=30", "seed=0", "method=amem"), Status.FAILED, error="no server"))
    return tmp_path / "m"


def test_seeds_are_one_row_and_settings_are_rows(folder: Path) -> None:
    table = collected_table(collect(folder))
    labels = [row.label for row in table.sections[0].rows if not row.minor]
    assert labels == ["A-Mem, retrieve.k=10", "A-Mem, retrieve.k=20"]
    records = list(csv.DictReader(to_csv(table).splitlines()))
    assert [(record["method"], record["retrieve.k"]) for record in records] == [("amem", "10"), ("amem", "20")]
    n = 2 * 3 * 4 * (len(Category) - 1)
    assert [int(record["answerable_f1_n"]) for record in records] == [n, n]
    assert all(float(record["answerable_f1_sd"]) > 0 for record in records)
    assert float(records[0]["answerable_f1"]) < float(records[1]["answerable_f1"])


def test_a_job_that_is_not_in_the_table_is_named_below_it(folder: Path) -> None:
    text = to_text(collected_table(collect(folder))).replace("\n  ", " ")
    assert "Not in the table: job 4 (retrieve.k=30 seed=0 method=amem): no server." in text


def test_collecting_jobs_of_which_none_finished_is_refused(tmp_path: Path) -> None:
    write(tmp_path, JobRecord(0, ("seed=0",), Status.FAILED, error="no"))
    with pytest.raises(ResultsError, match="none of its 1 jobs"):
        collect(tmp_path)


def test_a_run_that_two_jobs_share_counts_once(folder: Path) -> None:
    first: Any = read(folder)[0]
    write(folder, JobRecord(4, first.overrides, Status.FINISHED, run=first.run))
    records = list(csv.DictReader(to_csv(collected_table(collect(folder))).splitlines()))
    assert int(records[0]["answerable_f1_n"]) == 2 * 3 * 4 * (len(Category) - 1)


def test_models_under_one_name_are_all_named(folder: Path) -> None:
    path = Path(str(read(folder)[3].run)) / "manifest.json"
    told = json.loads(path.read_text("utf-8"))
    told["config"]["backbones"]["tiny"]["label"] = "Another"
    path.write_text(json.dumps(told), "utf-8")
    assert ", Another" in collected_table(collect(folder)).sections[0].heading


def test_one_run_under_two_settings_is_refused(folder: Path) -> None:
    first: Any = read(folder)[0]
    write(folder, JobRecord(4, ("retrieve.k=99", "seed=0", "method=amem"), Status.FINISHED, run=first.run))
    with pytest.raises(ResultsError, match="are one run"):
        collect(folder)


def test_damaged_scores_are_named(folder: Path) -> None:
    path = Path(str(read(folder)[1].run)) / "scores.parquet"
    path.write_text("x", "utf-8")
    with pytest.raises(ResultsError, match=r"scores\.parquet: can't be read .* score .* writes it"):
        collect(folder)


def test_hydra_flags_still_work(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["experiment=ksweep", "--cfg", "job"]) == 0
    assert "sweep:\n  - 10\n  - 20" in capsys.readouterr().out


def test_tab_completion_knows_commands_groups_options_and_keys() -> None:
    script = command("completion").stdout
    tries = ["python -m eval experiment=ks", "python -m eval colle", "python -m eval experiment=scaling scaling.hn"]
    shell = script + r"""
    try() {
        COMP_LINE="$1" COMP_WORDS=($1) COMPREPLY=()
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _amem_eval_completion; echo "${COMPREPLY[*]}"
    }
    """ + "\n".join(f"try '{line}'" for line in tries)  # fmt: skip
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    done = subprocess.run(
        ["bash", "-c", shell], cwd=ROOT, capture_output=True, text=True, check=True, env={"PATH": path}
    )
    assert done.stdout.split("\n")[:3] == ["experiment=ksweep", "collect", "scaling.hnsw."]
