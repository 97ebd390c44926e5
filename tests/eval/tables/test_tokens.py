"""Tokens of each method, beside the paper's and the expected ones."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from eval.config import ScoringConfig
from eval.memories.building import Building, building
from eval.memories.stored import stored_memories
from eval.reporting import report_run
from eval.scoring.run_folder import read_run
from eval.scoring.scores import score_answers
from eval.scoring.token_use import Tokens
from eval.tables.meta import RunMeta
from eval.tables.paper import paper_table
from eval.tables.table import Row, Table
from eval.tables.tokens import tokens_table
from tests.eval.memories.made_memories import write_memory, write_run_with_memory
from tests.eval.scoring.made_answers import answer, failed, manifest
from tests.eval.scoring.made_calls import call

QUICK = ScoringConfig(metrics=["f1_amem_set", "f1_locomo", "bleu1"])
METHODS = Path(__file__).resolve().parents[3] / "configs" / "method"
BUILT = {("tiny", "amem"): Building(2, Tokens(calls=30, prompt=2_000, completion=500))}
ASKED = [call("query_keywords", 30, 2), call("memgpt_summary", 50, 5), call("answer_short", 90, 10)]


def table(rows: list[dict[str, Any]], facts: dict[str, Any] | None = None, built: Any = None) -> Table:
    meta = RunMeta.from_manifest(facts or manifest())
    return tokens_table(score_answers(rows, metrics=["f1_amem_set"]), rows, meta, built)


def rows_of(made: Table) -> list[Row]:
    return [row for section in made.sections for row in section.rows]


def texts(made: Table, label: str) -> list[str]:
    return next([cell.text for cell in row.cells] for row in rows_of(made) if row.label == label)


def test_a_question_s_tokens_are_split_by_use_beside_the_prompt_and_the_recalled_text() -> None:
    made = table([answer(calls=ASKED), answer(question_id="q2", calls=ASKED[2:], prompt_tokens=200)], built=BUILT)
    assert texts(made, "A-Mem") == ["100", "16", "28", "144", "150", "20", "15", "1,000", "250"]
    assert texts(made, "n") == ["2", "2", "2", "2", "2", "2", "2", "2", "2"]


def test_without_memories_building_is_unknown_and_not_nothing() -> None:
    assert texts(table([answer()]), "A-Mem")[6:] == ["–", "–", "–"]
    assert texts(table([answer()], built={("tiny", "amem"): Building(1)}), "A-Mem")[6:] == ["0", "0", "0"]


def test_a_failed_question_counts_among_the_calls_but_has_no_prompt() -> None:
    made = table([answer(calls=ASKED), failed(question_id="q2", calls=ASKED)])
    assert texts(made, "A-Mem")[:5] == ["100", "32", "55", "187", "100"]
    assert texts(made, "n")[3:6] == ["2", "1", "1"]


def test_paper_and_expectation_stand_in_the_column_of_the_answering_prompt() -> None:
    made = table([answer(method="locomo")])
    assert texts(made, "paper")[4] == "16,910"
    assert texts(made, "expected, all ten conversations")[4] == "21,600"
    assert texts(made, "expected, conv-26 alone")[4] == "16,900"


def test_a_stand_in_for_the_backbone_is_named() -> None:
    facts = manifest()
    facts["config"]["backbones"]["tiny"] = {"label": "T", "paper_row": None, "paper_nearest": "gpt-4o"}
    made = table([answer()], facts)
    assert texts(made, "paper, gpt-4o")[4] == "1,216"
    assert any("nearest" in note for note in made.notes)


def test_a_sample_has_neither_paper_nor_expectation() -> None:
    made = table([answer(method="locomo")], manifest(is_sample=True, comparable=False))
    assert [row.label for row in rows_of(made)] == ["LoCoMo", "n"]


def test_bounds_and_ranges_are_told_apart() -> None:
    facts = manifest(("amem",))
    facts["config"]["methods"] = {name: {"label": name} for name in ("memgpt", "readagent")}
    made = table([answer(method="memgpt"), answer(method="readagent")], facts)
    assert texts(made, "expected, all ten conversations, each call")[4] == "≤ 8,192"
    assert texts(made, "expected, all ten conversations")[4] == "3,600–4,700"


def test_the_table_says_which_quantity_table_1_shows() -> None:
    made = table([answer()])
    assert "Table 1" in made.caption
    assert any("o200k_base" in note and "paper does not say" in note for note in made.notes)


def test_expectations_are_of_methods_that_there_are() -> None:
    expected = paper_table("token_expectations")
    assert all((METHODS / f"{row['method']}.yaml").is_file() for row in expected)
    assert all(0 <= row["low"] <= row["high"] for row in expected)  # type: ignore[operator]


def test_a_scored_run_has_the_table_with_what_its_memories_took(tmp_path: Path) -> None:
    run = write_run_with_memory(tmp_path)
    for conversation in {row["conversation"] for row in read_run(run).answers}:
        write_memory(run, name=conversation)
    report_run(run, QUICK)
    spent = [made for path in run.glob("memory/*/*/*.json") for made in json.loads(path.read_text())["facts"]["calls"]]
    (record,) = csv.DictReader((run / "tables" / "tokens.csv").read_text().splitlines())
    conversations = int(record["conversations"])
    assert float(record["building_calls"]) * conversations == len(spent) > 0
    assert float(record["building_prompt"]) * conversations == sum(made["prompt_tokens"] for made in spent)
    assert "## Tokens by method" in (run / "table.md").read_text()


def test_building_is_summed_over_conversations(tmp_path: Path) -> None:
    run = write_run_with_memory(tmp_path)
    ((place, found),) = building(stored_memories(run)).items()
    assert place == ("tiny", "amem")
    assert (found.conversations, found.tokens.calls) == (1, 8)
