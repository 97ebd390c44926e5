"""A run on DialSim as a page, as figures and to a tracker: what differs from runs on LoCoMo."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pandas as pd
import pytest

from amem.errors import ResultsError
from eval.composition import compose
from eval.dialsim.formats import AnswerFormat
from eval.dialsim.judge import write_verdicts
from eval.dialsim.scoring import Verdict
from eval.figures.of_run import figures_of
from eval.interchange.hub_dataset import run_dataset
from eval.interchange.tracking import means
from eval.judging import judge_run
from eval.report import build
from eval.runner.recalls import read_recalls
from eval.runner.sources import sources_of
from eval.scored import scored_run
from eval.scoring.run_folder import read_run
from tests.browser import Browser, programs
from tests.eval.report.held import CHOOSE, data_of
from tests.eval.report.made_dialsim_run import made_dialsim_run

pytestmark = pytest.mark.slow

ROWS = "return [...document.querySelectorAll('#view tbody tr')].map((row) => row.textContent)"


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_dialsim_run(tmp_path_factory.mktemp("dialsim"))


@pytest.fixture(scope="module")
def page(run_folder: Path) -> Path:
    (path,) = build.write_report(run_folder)
    return path


@pytest.fixture
def browser() -> Iterator[Browser]:
    found = programs()
    if found is None:
        pytest.skip("NO BROWSER: chromium and chromedriver are needed to test the report")
    with Browser(*found) as window:
        window.size(1280)
        window.console()
        yield window
        assert window.console() == []


def test_the_page_can_be_walked_through(browser: Browser, page: Path) -> None:
    browser.open(page)
    overview = browser.run(
        "return document.querySelector('#overview').textContent + document.querySelector('header').textContent"
    )
    assert "which is not DialSim" in overview and "Doubt 5" in overview and "dialsim-sample" in overview
    assert browser.run("return document.images.length") > 3
    browser.open(page, "view=questions")
    everything = browser.run(ROWS)
    browser.run(CHOOSE, "Text", "can not be answered")
    unanswerable = browser.run(ROWS)
    assert 0 < len(unanswerable) < len(everything) and all("I don't know." in row for row in unanswerable)
    browser.run(CHOOSE, "Text", "")
    browser.run(CHOOSE, "Category", "cur")
    browser.run(CHOOSE, "Evidence", "hit")
    assert browser.run(ROWS)
    browser.open(page, "view=compare")
    shown = browser.run("return document.querySelector('#view').textContent")
    assert "Options in the data" in shown and "DialSim accuracy" in shown
    browser.run("for (const box of document.querySelectorAll('#view details')) box.open = true")
    heads = browser.until("return [...document.querySelectorAll('#view h4')].map((one) => one.textContent).join()")
    assert heads.startswith("system,user,reply")
    browser.open(page, "view=memory")
    assert browser.run("return document.querySelectorAll('.graph .note').length") == 79


def test_plain_retrieval_is_shown_of_what_the_memory_held_when_it_was_asked(page: Path, run_folder: Path) -> None:
    data = data_of(page)
    (memory,) = data["memories"].values()
    place = {note[1]: number for number, note in enumerate(memory["notes"])}
    by_id = {note[0]: note[1] for note in memory["notes"]}
    answers = {row["question_id"]: row for row in read_run(run_folder).answers if row["method"] == "amem"}
    assert len(memory["plain"]) == len(answers)
    for name, shown in memory["plain"].items():
        asked_after = place[answers[name.partition("/")[2]]["dialsim"]["after"]]
        assert shown and all(place[by_id[entry["note"]]] <= asked_after for entry in shown)


def test_turns_in_a_row_are_listed_one_by_one(browser: Browser, page: Path, run_folder: Path) -> None:
    rows = read_run(run_folder).answers
    row = next(r for r in rows if r["method"] == "rag_sessions" and any("to" in s for s in r["recall"]["sources"]))
    turns = [source.turn_id for source in sources_of(row["recall"])]
    cell = quote("scripted/rag_sessions/0", safe="")
    browser.open(page, f"view=answer&q={quote(row['question_id'], safe='')}&cell={cell}")
    browser.run("for (const box of document.querySelectorAll('#view details')) box.open = true")
    listed = browser.until("return [...document.querySelectorAll('#view ol.turns li')].map((one) => one.textContent)")
    assert len(listed) == len(turns)
    assert all(shown.startswith(turn) and "says:" in shown for turn, shown in zip(turns, listed, strict=True))
    shown = "return [...document.querySelectorAll('#view pre')].map((one) => one.textContent)"
    texts = read_recalls(run_folder / "recalls.jsonl")
    browser.until(f"{shown}.includes(arguments[0])", texts[row["recall"]["text_hash"]])


def test_a_show_of_many_questions_is_split_into_parts(run_folder: Path, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(build, "QUESTIONS_A_PAGE", 4)
    monkeypatch.setattr(build, "QUESTIONS_A_PART", 4)
    written = build.write_report(run_folder, tmp_path / "all.html")
    names = ["all", "all-greywater-1-4", "all-greywater-5-8", "all-greywater-9-10"]
    assert [path.stem for path in written] == names
    assert [len(data_of(path)["questions"]) for path in written] == [0, 4, 4, 2]


def test_a_network_too_large_for_a_picture_is_named_instead(
    browser: Browser, run_folder: Path, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setattr(build, "NOTES_A_PAGE", 10)
    (path,) = build.write_report(run_folder, tmp_path / "small.html")
    browser.open(path, "view=memory")
    assert "scripted/amem/greywater/0: 79 notes are too many" in browser.run(
        "return document.querySelector('#view').textContent"
    )


def test_scores_are_left_beside_the_tables(run_folder: Path) -> None:
    frame = pd.read_parquet(run_folder / "scores.parquet")
    assert len(frame) == 20 and {"f1_amem_set", "accuracy", "day_recall", "group"} <= set(frame)


def test_its_figures_are_by_what_can_be_answered(run_folder: Path) -> None:
    figures = {figure.key: figure for figure in figures_of(run_folder)}
    assert {"table2_bars", "tokens_f1", "evidence_f1"} <= set(figures)
    assert "unanswerable" in figures["table2_bars"].alt
    assert all(figure.svg().startswith(b"<?xml") for figure in figures.values())


def test_a_tracker_is_told_the_means_by_group(run_folder: Path) -> None:
    told = means(run_folder)
    frame = pd.read_parquet(run_folder / "scores.parquet")
    own = frame[(frame["method"] == "amem") & (frame["group"] == "answerable")]
    assert told["scripted/amem/accuracy/answerable"] == pytest.approx(100 * own["accuracy"].mean())
    assert told["scripted/amem/day_recall/overall"] == pytest.approx(
        100 * frame[frame["method"] == "amem"]["day_recall"].mean()
    )


def test_it_can_be_exported(run_folder: Path) -> None:
    pytest.importorskip("datasets")
    made = run_dataset(run_folder)
    assert len(made) == 20 and set(made["category"]) > {"cur"} and "accuracy" in made.column_names


def test_with_options_right_is_what_dialsim_counts_as_right(tmp_path: Path) -> None:
    folder = made_dialsim_run(tmp_path, f"dialsim.answer_format={AnswerFormat.MULTI_CHOICE_STRUCTURED}")
    scored = scored_run(read_run(folder))
    assert scored.rule == "Right: by DialSim's accuracy."
    assert list(scored.right) == list(scored.scores.answered["accuracy"] == 1)


def test_a_judge_decides_on_words_that_differ_and_is_named(run_folder: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(run_folder, tmp_path / "run"))
    shown = judge_run(folder, compose(["backbone=[scripted]"]), attempts=1, strictness="both")
    assert "judged by Scripted (no model), prompts default" in " ".join(shown.split())
    verdicts = [json.loads(line) for line in (folder / "judgements.jsonl").read_text("utf-8").splitlines()]
    right = {row["prediction"] for row in verdicts if row["verdict"] == "correct"}
    frame = pd.read_parquet(folder / "scores.parquet")
    judged = [row["prediction"] in right for row in read_run(folder).answers]
    assert list(frame["accuracy"] == 1) == judged and 0 < sum(judged) < len(judged)
    assert list(scored_run(read_run(folder), folder).scores.frame["accuracy"] == 1) == judged


def test_answers_that_came_after_the_judge_are_not_counted_as_judged(run_folder: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(run_folder, tmp_path / "run"))
    write_verdicts(folder, {("Who?", "Ann", "Bo"): Verdict.CORRECT}, "a judge")
    with pytest.raises(ResultsError, match="judge again"):
        scored_run(read_run(folder), folder)
