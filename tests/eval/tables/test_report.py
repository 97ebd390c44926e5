"""From a run's folder to scores and tables."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from amem.errors import ConfigurationError, ResultsError
from eval.__main__ import main
from eval.config import ScoringConfig
from eval.reporting import report_run
from eval.scoring.scores import score_answers
from eval.tables.csv_text import to_csv
from eval.tables.html import to_html
from eval.tables.latex import to_latex
from eval.tables.markdown import to_markdown
from eval.tables.meta import RunMeta
from eval.tables.report import report_tables
from eval.tables.text import to_text
from tests.eval.scoring.made_answers import answer, answers, failed, manifest, write_run
from tests.eval.scoring.made_calls import call

TEXTUAL = ("f1_amem_set", "f1_locomo", "bleu1", "rouge2_f", "rougeL_f")
RIGHT = {"amem": 0.8, "locomo": 0.4}
QUICK = ScoringConfig(metrics=list(TEXTUAL))


def test_score_writes_scores_and_tables_and_prints_table_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_run(tmp_path / "run", answers(RIGHT), manifest())
    assert main(["score", str(folder), "--metrics", *TEXTUAL]) == 0
    frame = pd.read_parquet(folder / "scores.parquet")
    assert len(frame) == 2 * 6 * 5 * 4
    assert {"f1_locomo", "rougeL_f", "evidence_any_recall"} <= set(frame.columns)
    for name in ("table.md", "table.csv", "table.tex", "table.html", "tables/evidence.csv"):
        assert (folder / name).stat().st_size > 0
    assert capsys.readouterr().out.startswith("Table 1")


def test_scoring_twice_writes_the_same_bytes(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", answers(RIGHT), manifest())
    report_run(folder, QUICK)
    first = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    report_run(folder, QUICK)
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == first


def test_too_many_failures_give_no_table_unless_asked_for(tmp_path: Path) -> None:
    rows = [*answers(RIGHT), *(failed(question_id=f"f{place}", memory="amem-1-0") for place in range(20))]
    folder = write_run(tmp_path / "run", rows, manifest())
    with pytest.raises(ResultsError, match="20 of 140"):
        report_run(folder, QUICK)
    assert "failed" in report_run(folder, replace(QUICK, allow_failures=True))


def test_a_folder_that_is_no_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match=r"manifest\.json"):
        report_run(tmp_path, ScoringConfig())


def test_a_run_that_answered_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="no answers"):
        report_run(write_run(tmp_path, [], manifest()), ScoringConfig())


def test_all_tables_of_one_method_leave_out_differences() -> None:
    rows = answers({"amem": 0.8})
    tables = report_tables(score_answers(rows, metrics=TEXTUAL), rows, RunMeta.from_manifest(manifest(("amem",))))
    assert [table.key for table in tables] == [
        "table1", "locomo-f1", "adversarial", "overall", "evidence", "evidence-by-category", "tokens", "rouge",
    ]  # fmt: skip


def test_every_table_renders_in_every_format_with_denominators() -> None:
    rows = answers(RIGHT)
    for table in report_tables(score_answers(rows, metrics=TEXTUAL), rows, RunMeta.from_manifest(manifest())):
        for form in (to_markdown, to_csv, to_latex, to_html, to_text):
            assert form(table)
        assert any(row.label == "n" for section in table.sections for row in section.rows), table.key


def test_one_conversation_is_said_to_be_resampled_by_question() -> None:
    rows = [row for row in answers(RIGHT) if row["conversation"] == "conv-1"]
    tables = report_tables(score_answers(rows, metrics=TEXTUAL), rows, RunMeta.from_manifest(manifest()))
    with_intervals = [table for table in tables if table.key != "tokens"]
    assert all(any("there is one conversation" in note for note in table.notes) for table in with_intervals)


def test_a_method_that_answers_itself_is_told_apart_where_adversarial_questions_are_scored() -> None:
    options = ["blue green kite", "Not mentioned in the conversation"]
    asked = {"category": "adversarial", "options": options}
    rows = [
        answer(**asked, calls=[call("answer_adversarial")]),
        answer(**asked, method="locomo", calls=[call("memgpt_answer")], prediction="a canoe"),
    ]
    tables = report_tables(score_answers(rows, metrics=TEXTUAL), rows, RunMeta.from_manifest(manifest()))
    told = {table.key: [note for note in table.notes if note.startswith("LoCoMo: answered by")] for table in tables}
    assert {key for key, notes in told.items() if notes} == {"table1", "adversarial"}
    assert "1 of 1 of these replies are neither of the two (of the other methods', 0 of 1)" in told["table1"][0]
    shared = report_tables(score_answers(rows[:1], metrics=TEXTUAL), rows[:1], RunMeta.from_manifest(manifest()))
    assert not any("answered by" in note for table in shared for note in table.notes)


def test_table_1_names_the_replies_that_were_cut(tmp_path: Path) -> None:
    cut = {**call("answer_short"), "repairs": ["filled_length_limit"]}
    rows = [answer(calls=[cut], memory="amem-1-0"), *answers(RIGHT)]
    folder = write_run(tmp_path / "run", rows, manifest())
    assert "A-Mem answer_short 1 of 1" in report_run(folder, QUICK)


def test_a_slice_without_adversarial_questions_has_all_its_tables() -> None:
    rows = [row for row in answers(RIGHT) if row["category"] != "adversarial"]
    tables = report_tables(score_answers(rows, metrics=TEXTUAL), rows, RunMeta.from_manifest(manifest()))
    assert all(to_text(table) for table in tables)


def test_metrics_that_the_tables_need_can_t_be_left_out(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", answers(RIGHT), manifest())
    with pytest.raises(ConfigurationError, match="lacks f1_locomo, bleu1"):
        report_run(folder, ScoringConfig(metrics=["f1_amem_set"]))
