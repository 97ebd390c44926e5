"""The jobs of a multirun on DialSim in one table, by DialSim's own measures."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from amem.errors import ResultsError
from eval.__main__ import main
from eval.dialsim.scores import score_dialsim
from eval.figures.collected import draw
from eval.multirun.collect import Collected, collect
from eval.multirun.jobs import JobRecord, Status, write
from eval.multirun.measures import measures
from eval.reporting import write_scores
from eval.scoring.scores import score_answers
from eval.tables.collected import collected_table
from eval.tables.csv_text import to_csv
from eval.tables.table import Table
from tests.eval.dialsim import answers as made
from tests.eval.scoring.made_answers import answers, manifest, write_run

ASKS = list(made.plan().asks())
ANSWERABLE = sum(ask.answerable for ask in ASKS)


def add_job(folder: Path, number: int, rows: Sequence[dict[str, Any]], *overrides: str, **config: Any) -> Path:
    """A finished job on DialSim, with scores."""
    facts = manifest(["amem"], name="dialsim", description="harbour", comparable=False)
    facts["config"] |= {"dialsim": {}, "scoring": {"idk": "phrase"}} | config
    run = write_run(folder.parent / f"run-{number}", rows, facts)
    write_scores(run / "scores.parquet", score_dialsim(rows, metrics=("f1_amem_set",)))
    write(folder, JobRecord(number, overrides, Status.FINISHED, run=str(run)))
    return run


def replies(right: bool, seed: int = 0) -> list[dict[str, Any]]:
    """Every question answered rightly, or declined throughout."""
    return [made.row(ask, ask.reference if right else "I don't know.") | {"seed": seed} for ask in ASKS]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """k = 1 declines, k = 2 is right; two seeds each."""
    for number, (k, seed) in enumerate([(1, 0), (1, 1), (2, 0), (2, 1)]):
        add_job(tmp_path / "m", number, replies(k == 2, seed), f"retrieve.k={k}", f"seed={seed}")
    return tmp_path / "m"


def records(table: Table) -> list[dict[str, str]]:
    return list(csv.DictReader(to_csv(table).splitlines()))


def test_the_table_has_accuracy_by_what_can_be_answered_and_f1_of_what_can(folder: Path) -> None:
    declining, right = records(collected_table(collect(folder)))
    assert (declining["retrieve.k"], right["retrieve.k"]) == ("1", "2")
    share = 100 * (1 - ANSWERABLE / len(ASKS))
    assert float(declining["overall_accuracy"]) == pytest.approx(share, abs=1e-3)
    assert [float(declining[f"{name}_accuracy"]) for name in ("answerable", "unanswerable")] == [0, 100]
    assert [float(row["answerable_f1"]) for row in (declining, right)] == [0, 100]
    counts = [int(right[f"{name}_n"]) for name in ("overall_accuracy", "answerable_accuracy", "answerable_f1")]
    assert counts == [2 * len(ASKS), 2 * ANSWERABLE, 2 * ANSWERABLE]
    assert float(declining["overall_accuracy_low"]) < share < float(declining["overall_accuracy_high"])


def test_the_caption_names_measure_settings_and_idk_reference(folder: Path) -> None:
    table = collected_table(collect(folder))
    assert table.caption.startswith("DialSim's accuracy, and F1")
    assert "(idk reference: phrase). Settings: version v1.1, names original, format open_ended" in table.caption
    assert any(note.startswith("Accuracy: DialSim's own; answers in words count only where") for note in table.notes)
    assert f'of always "I don\'t know.": {100 * (1 - ANSWERABLE / len(ASKS)):.2f}.' in " ".join(table.notes)


def test_questions_that_are_excluded_are_in_no_column(tmp_path: Path) -> None:
    add_job(tmp_path / "m", 0, replies(right=True), "seed=0", scoring={"idk": "excluded"})
    table = collected_table(collect(tmp_path / "m"))
    (record,) = records(table)
    assert int(record["overall_accuracy_n"]) == ANSWERABLE and "unanswerable_accuracy" not in record
    assert "left out (idk reference: excluded)" in table.caption


def test_the_command_writes_table_and_figure(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["collect", str(folder)]) == 0
    assert "A-Mem, retrieve.k=2" in capsys.readouterr().out
    assert (folder / "figure.pdf").read_bytes().startswith(b"%PDF")


def test_a_row_without_such_questions_stays_empty_in_the_figure(tmp_path: Path) -> None:
    unanswerable = [row for row in replies(right=True) if not row["dialsim"]["answerable"]]
    add_job(tmp_path / "m", 0, unanswerable, "dialsim.shows=[friends]")
    add_job(tmp_path / "m", 1, replies(right=True), "dialsim.shows=[harbour]")
    collected: Collected = collect(tmp_path / "m")
    assert [len(each.figures) for each in measures(collected)] == [2, 1, 2, 1]
    assert [path.suffix for path in draw(tmp_path / "figure", collected)] == [".pdf", ".png"]


def test_jobs_on_both_benchmarks_are_refused_before_anything_is_written(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = answers({"amem": 0.5})
    run = write_run(folder.parent / "locomo", rows, manifest(["amem"]))
    write_scores(run / "scores.parquet", score_answers(rows, metrics=("f1_amem_set",)))
    write(folder, JobRecord(4, ("dataset=locomo",), Status.FINISHED, run=str(run)))
    before = sorted(folder.rglob("*"))
    assert main(["collect", str(folder)]) == 2
    assert "jobs 0, 1, 2, 3 are on DialSim and job 4 is on LoCoMo" in capsys.readouterr().err
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize("overrides", [("seed=2",), ("seed=2", "scoring.idk=excluded")])
def test_jobs_scored_with_different_idk_references_are_refused(folder: Path, overrides: tuple[str, ...]) -> None:
    # The second: a run that two jobs share and that the other one scored last.
    idk = "option" if len(overrides) == 1 else "phrase"
    add_job(folder, 4, replies(right=True, seed=2), *overrides, scoring={"idk": idk})
    with pytest.raises(ResultsError, match=r"scoring\.idk is not the same for all jobs"):
        collect(folder)


def test_a_run_scored_again_by_hand_is_collected_as_it_is_configured(folder: Path) -> None:
    run = folder.parent / "run-0"
    shutil.copy(folder.parent / "run-2" / "scores.parquet", run / "scores.parquet")
    declining, _ = records(collected_table(collect(folder)))
    assert float(declining["answerable_f1"]) == 0
