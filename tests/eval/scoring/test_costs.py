"""What a memory operation and an answer cost, and what building once saves."""

from __future__ import annotations

import csv
from dataclasses import replace
from typing import Any

import pytest

from amem.contract import Snapshot
from eval.figures.costs import cost_figure
from eval.memories.stored import StoredMemory
from eval.scoring.costs import MethodCost, method_costs
from eval.tables.costs import cost_table
from eval.tables.csv_text import to_csv
from eval.tables.meta import RunMeta
from eval.tables.text import to_text
from tests.eval.scoring.made_answers import answer, failed, manifest


def call(tokens: int, *, seconds: float = 1.0, usd: float = 0.001, label: str = "") -> dict[str, Any]:
    return {"purpose": "note_construct", "prompt_tokens": tokens - 10, "completion_tokens": 10, "cached_tokens": 0,
            "seconds": seconds, "usd": usd, "key": "k", "label": label}  # fmt: skip


def memory(method: str, calls: list[dict[str, Any]], turns: int, name: str = "conv-1") -> StoredMemory:
    return StoredMemory("tiny", method, name, Snapshot({}), {"calls": calls, "turns": turns})


ANSWERS = [
    answer(method="locomo", question_id="q1", calls=[call(16_000)]),
    answer(method="locomo", question_id="q2", calls=[call(18_000)]),
    answer(method="amem", question_id="q1", calls=[call(1_000), call(700)]),
    failed(method="amem", question_id="q2", calls=[call(1_700)]),
]
MEMORIES = [memory("amem", [call(600, label="n1"), call(600, label="n1"), call(800, label="n2")], turns=2)]


@pytest.fixture
def costs() -> dict[tuple[str, str], MethodCost]:
    return method_costs(ANSWERS, MEMORIES, {})


def test_an_operation_is_a_turn_and_an_answer_is_a_question_failed_ones_too(costs: dict) -> None:
    amem = costs["tiny", "amem"]
    assert (amem.operation.tokens, amem.operation.calls, amem.operation.tokens_median) == (1_000, 1.5, 1_000)
    assert (amem.answer.tokens, amem.answer.calls, amem.answer.seconds) == (1_700, 1.5, 1.5)
    assert amem.answer.usd == pytest.approx(0.0015)


def test_a_method_that_builds_nothing_pays_for_answers_alone(costs: dict) -> None:
    assert costs["tiny", "locomo"].operation.tokens == 0
    assert costs["tiny", "locomo"].conversation("tokens", 3) == 3 * 17_000


def test_a_conversation_is_its_turns_and_its_questions(costs: dict) -> None:
    assert costs["tiny", "amem"].conversation("tokens", 10) == 2 * 1_000 + 10 * 1_700


def test_savings_are_given_with_and_without_building(costs: dict) -> None:
    text = to_text(cost_table(costs, RunMeta.from_manifest(manifest())))
    (row,) = [line for line in text.splitlines() if line.startswith("A-Mem  ")]
    assert row.split()[-2:] == ["−90%", f"−{100 * (1 - 5_400 / 34_000):.0f}%"]
    assert "−85 to −93%" in text


def test_the_full_context_row_is_named_as_what_the_others_are_held_against(costs: dict) -> None:
    table = cost_table(costs, RunMeta.from_manifest(manifest()))
    rows = {row.label: row for section in table.sections for row in section.rows}
    assert rows["LoCoMo"].cells[-2].text == "full context"
    assert not any("no full-context row" in note for note in table.notes)


def test_more_tokens_than_full_context_are_no_saving(costs: dict) -> None:
    dear = {**costs, ("tiny", "amem"): replace(costs["tiny", "amem"], answer=costs["tiny", "locomo"].answer)}
    dear["tiny", "locomo"] = replace(costs["tiny", "locomo"], answer=costs["tiny", "amem"].answer)
    table = cost_table(dear, RunMeta.from_manifest(manifest()))
    row = next(row for section in table.sections for row in section.rows if row.label == "A-Mem")
    assert row.cells[-2].text == "+900%"


def test_without_a_full_context_row_its_lack_is_said(costs: dict) -> None:
    alone = {place: cost for place, cost in costs.items() if place[1] != "locomo"}
    notes = cost_table(alone, RunMeta.from_manifest(manifest(is_sample=True))).notes
    assert any("no full-context row" in note for note in notes)
    assert not any("The paper says" in note for note in notes)


def test_a_run_on_the_sample_has_no_row_of_the_paper(costs: dict) -> None:
    assert "Paper, section" not in to_text(cost_table(costs, RunMeta.from_manifest(manifest(is_sample=True))))


def test_rows_of_a_sweep_share_the_cost_of_their_memory() -> None:
    rows = [answer(method=f"amem@k{k}", calls=[call(100)]) for k in (1, 2)]
    found = method_costs(rows, [memory("amem@k1", [call(600)], turns=2)], {"amem@k1": "amem@k1", "amem@k2": "amem@k1"})
    assert [cost.operation.tokens for cost in found.values()] == [300, 300]


def test_the_plain_values_are_in_the_csv(costs: dict) -> None:
    records = list(csv.DictReader(to_csv(cost_table(costs, RunMeta.from_manifest(manifest()))).splitlines()))
    assert [float(record["answer_tokens"]) for record in records] == [17_000, 1_700]
    assert float(records[1]["conversation_tokens"]) == 5_400


def test_the_figure_tells_its_numbers_in_words(costs: dict) -> None:
    drawn = cost_figure(costs, RunMeta.from_manifest(manifest()))
    assert drawn.title.startswith("USD")
    assert "A-Mem: building 0.003, an answer 0.0015" in drawn.alt
    assert drawn.svg().startswith(b"<?xml")
