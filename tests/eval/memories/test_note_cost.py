"""What a note cost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eval.__main__ import main
from eval.memories.cost import NoteCost, note_cost
from eval.memories.stored import StoredMemory, stored_memories
from eval.memories.tables import memory_table
from eval.tables.paper import paper_table
from eval.tables.text import to_text
from tests.eval.memories.made_memories import write_run_with_memory


def costs(run: Path) -> NoteCost:
    return note_cost(stored_memories(run))


def test_calls_are_counted_by_the_note_that_they_were_made_for(tmp_path: Path) -> None:
    cost = costs(write_run_with_memory(tmp_path))
    # One construction each; then a link call and an evolution call for each of 0, 1 and 2 neighbours.
    assert cost.spreads["calls"].mean == pytest.approx((1 + 3 + 4) / 3)
    assert cost.spreads["calls"].median == 3
    assert cost.by_purpose == {"note_construct": 1, "note_evolve": 1, "note_link": pytest.approx(2 / 3)}


def test_tokens_seconds_and_money_are_sums_over_a_notes_calls(tmp_path: Path) -> None:
    run = write_run_with_memory(tmp_path, link_generation=False, memory_evolution=False)
    (memory,) = stored_memories(run)
    for place, call in enumerate(memory.facts["calls"]):
        call |= {"prompt_tokens": 100 * (place + 1), "completion_tokens": 10, "seconds": 2.0, "usd": 0.25}
    cost = note_cost([memory])
    assert cost.spreads["tokens"].mean == pytest.approx(210)
    assert cost.spreads["tokens"].median == 210
    assert cost.spreads["tokens"].p95 == pytest.approx(300)
    assert (cost.spreads["seconds"].mean, cost.spreads["usd"].mean) == (2.0, 0.25)


def test_a_note_that_no_call_was_made_for_costs_nothing_and_counts(tmp_path: Path) -> None:
    (memory,) = stored_memories(write_run_with_memory(tmp_path, link_generation=False, memory_evolution=False))
    memory.facts["calls"].pop()
    assert note_cost([memory]).spreads["calls"].mean == pytest.approx(2 / 3)


def test_without_labels_there_is_a_mean_alone(tmp_path: Path) -> None:
    (memory,) = stored_memories(write_run_with_memory(tmp_path))
    unlabelled = [{**call, "label": ""} for call in memory.facts["calls"]]
    bare = StoredMemory("tiny", "rag", "conv-1", memory.snapshot, {**memory.facts, "calls": unlabelled})
    spread = note_cost([bare]).spreads["calls"]
    assert spread.mean == pytest.approx(8 / 3)
    assert (spread.median, spread.p95) == (None, None)


def test_the_papers_figures_stand_beside_ours_and_not_beside_a_samples(tmp_path: Path) -> None:
    run = write_run_with_memory(tmp_path)
    text = to_text(memory_table(run, "memory-cost"))
    assert {row["value"] for row in paper_table("memory_operation")} == {1200.0, 5.4, 1.1, 0.0003}
    assert all(shown in text for shown in ("1,200", "5.40", "1.10", "0.000300"))
    facts = json.loads((run / "manifest.json").read_text())
    facts["data"] |= {"is_sample": True, "comparable": False}
    (run / "manifest.json").write_text(json.dumps(facts))
    assert "5.40" not in to_text(memory_table(run, "memory-cost"))


def test_the_command_prints_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory-cost", str(write_run_with_memory(tmp_path))]) == 0
    assert capsys.readouterr().out.startswith("Cost of a memory operation")
