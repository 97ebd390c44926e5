"""A run's folder that was copied without some of its files: what is left is shown, what is not is said."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from eval.__main__ import main
from eval.config import ScoringConfig
from eval.figures.of_run import figures_of
from eval.report.build import write_report
from eval.reporting import report_run
from tests.eval.report.made_run import made_run

QUICK = ScoringConfig(metrics=["f1_amem_set", "f1_locomo", "bleu1"])


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_run(tmp_path_factory.mktemp("absent")).parent


@pytest.fixture
def folder(results: Path, tmp_path: Path) -> Iterator[Path]:
    copied = Path(shutil.copytree(results, tmp_path / "results"))
    # Else the report finds the store where the manifest says that results are.
    (results / "records.sqlite").rename(results / "elsewhere.sqlite")
    yield next(path.parent for path in copied.glob("*/manifest.json"))
    (results / "elsewhere.sqlite").rename(results / "records.sqlite")


def page_of(folder: Path) -> str:
    return write_report(folder)[0].read_text("utf-8")


def test_nothing_is_said_of_a_whole_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Not in this report" not in page_of(folder)
    assert "costs" in {figure.key for figure in figures_of(folder)}
    report_run(folder, QUICK)
    assert capsys.readouterr().err == ""


def test_costs_are_left_out_and_not_made_zero_where_a_memory_is_gone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (gone,) = folder.glob("memory/scripted/amem/*.json")
    gone.unlink()
    shown = report_run(folder, QUICK)
    assert "Table 1" in shown
    name = gone.relative_to(folder).as_posix()
    assert f"1 of the run's memories are not in its folder ({name}, for one)" in capsys.readouterr().err
    assert not {"costs.csv", "memory-cost.csv", "drift.csv"} & {path.name for path in folder.glob("tables/*.csv")}
    assert "costs" not in {figure.key for figure in figures_of(folder)}
    assert f"1 of the run's memories are not in its folder ({name}, for one)" in capsys.readouterr().err
    assert "costs and whatever else rests on them are left out" in page_of(folder)


def test_the_cost_figure_of_the_whole_folder_does_not_outlive_it(folder: Path) -> None:
    report_run(folder, QUICK)
    assert {path.name for path in folder.glob("costs.*")} == {"costs.pdf", "costs.png"}
    next(folder.glob("memory/scripted/amem/*.json")).unlink()
    report_run(folder, QUICK)
    assert not list(folder.glob("costs.*"))


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        (["memory-cost"], "table memory-cost"),
        (["inspect-memory"], "table drift"),
        (["estimate", "--no-records", "--against"], "what the run did ask for"),
    ],
)
def test_what_would_rest_on_a_part_of_the_memories_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], command: list[str], wanted: str
) -> None:
    next(folder.glob("memory/scripted/rag/*.json")).unlink()
    assert main([*command, str(folder)]) == 2
    shown = capsys.readouterr()
    assert f", for one), and {wanted} would rest on the others alone; the run's own command" in shown.err
    assert shown.out == ""


def test_recalled_texts_and_prompts_that_are_gone_are_said_to_be(folder: Path) -> None:
    (folder / "recalls.jsonl").unlink()
    (folder.parent / "records.sqlite").unlink()
    page = page_of(folder)
    assert "recalls.jsonl lacks what was recalled for" in page
    assert "the record store is neither beside" in page
