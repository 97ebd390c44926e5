"""`inspect-memory`: a note's life, a conversation's notes, a run's drift."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.__main__ import main
from tests.amem.a_mem import LINES
from tests.eval.memories.made_memories import write_memory, write_run_with_memory
from tests.eval.scoring.made_answers import answers, manifest, write_run


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["inspect-memory", *arguments]) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["inspect-memory", *arguments]) == 2
    return capsys.readouterr().err


def test_a_notes_life_shows_what_was_said_every_change_and_its_cause(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = shown(capsys, str(write_run_with_memory(tmp_path)), "conv-1", "--note", "n1")
    assert LINES[0] in text
    evolved = text.index("Evolved through n2, session_1, 1 March, 2024 (call ")
    assert text.index("Constructed (call ") < evolved
    assert text.index("context - about life") > evolved
    assert "        + zebra zebra zebra zebra" in text[evolved:]


def test_options_may_stand_between_the_run_and_the_conversation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = str(write_run_with_memory(tmp_path))
    assert shown(capsys, run, "--note", "n1", "conv-1") == shown(capsys, run, "conv-1", "--note", "n1")


def test_links_in_both_directions_and_the_box_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = str(write_run_with_memory(tmp_path))
    first, second = shown(capsys, run, "conv-1", "--note", "n1"), shown(capsys, run, "conv-1", "--note", "n2")
    assert "  → none" in first
    assert "  ← n2" in first
    assert "  → n1" in second
    assert "Linked to n1" in second
    assert "Box of 3" in first


def test_a_position_that_leads_nowhere_is_said_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = write_run_with_memory(tmp_path, links_as="positions", memory_evolution=False, linking=[0, 40])
    text = shown(capsys, str(run), "conv-1", "--note", "n2")
    assert "position 0: n1" in text
    assert "position 40: out of range, leads nowhere" in text
    assert "links_to_positions_out_of_range: 2" in shown(capsys, str(run), "conv-1")


def test_without_a_note_every_note_has_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, str(write_run_with_memory(tmp_path)), "conv-1")
    assert [line.split()[:2] for line in text.splitlines() if line.startswith("n")][1:] == [
        ["n1", "1"], ["n2", "0"], ["n3", "0"],
    ]  # fmt: skip


def test_without_a_conversation_the_drift_of_the_run_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = shown(capsys, str(write_run_with_memory(tmp_path)))
    assert text.startswith("What evolution did to the notes")
    assert "33.3" in text


def test_what_does_not_exist_is_named_with_what_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = write_run_with_memory(tmp_path)
    assert "its notes are n1 to n3" in refused(capsys, str(run), "conv-1", "--note", "n9")
    assert "there are tiny/amem/conv-1" in refused(capsys, str(run), "conv-9")
    write_memory(run, method="other")
    assert "say --backbone and --method" in refused(capsys, str(run), "conv-1")
    assert shown(capsys, str(run), "conv-1", "--method", "other")
    assert "--method none has no memory of notes; there are amem, other" in refused(
        capsys, str(run), "conv-1", "--method", "none"
    )


def test_a_run_without_notes_is_said_to_have_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{**row, "memory": ""} for row in answers({"locomo": 0.5})]
    run = write_run(tmp_path, rows, manifest(("locomo",)))
    assert "holds no memories for table drift: none of its methods writes any" in refused(capsys, str(run))


def test_a_note_without_its_conversation_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "of which conversation?" in refused(capsys, str(write_run_with_memory(tmp_path)), "--note", "n1")
