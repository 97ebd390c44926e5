"""Drift of the notes of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.memories.drift import drift
from eval.memories.stored import stored_memories
from tests.eval.memories.made_memories import write_memory, write_run_with_memory


def test_what_later_notes_rewrote_is_counted_and_measured(tmp_path: Path) -> None:
    found = drift(stored_memories(write_run_with_memory(tmp_path)))
    assert (found.notes, found.most_changes) == (3, 1)
    assert found.evolved_share == found.changes_a_note == pytest.approx(1 / 3)
    assert found.cosine_of_evolved < 1
    assert found.cosine == pytest.approx((found.cosine_of_evolved + 2) / 3)


def test_links_boxes_and_orphans_are_counted(tmp_path: Path) -> None:
    linked = drift(stored_memories(write_run_with_memory(tmp_path / "a")))
    assert linked.links_a_note == pytest.approx(2 / 3)
    assert (linked.orphan_share, linked.boxes, linked.largest_box) == (0, 1, 3)
    bare = drift(stored_memories(write_run_with_memory(tmp_path / "b", link_generation=False)))
    assert (bare.links_a_note, bare.orphan_share, bare.boxes, bare.largest_box) == (0, 1, 0, 1)


def test_an_index_that_is_never_renewed_does_not_drift(tmp_path: Path) -> None:
    found = drift(stored_memories(write_run_with_memory(tmp_path, refresh="never")))
    assert found.evolved_share > 0
    assert found.cosine_of_evolved == pytest.approx(1)


def test_a_note_that_rewrites_its_own_tags_has_not_evolved(tmp_path: Path) -> None:
    found = drift(stored_memories(write_run_with_memory(tmp_path, strengthen_tags=True, memory_evolution=False)))
    assert found.evolved_share == 0


def test_notes_of_several_conversations_are_taken_together(tmp_path: Path) -> None:
    run = write_run_with_memory(tmp_path)
    write_memory(run, name="conv-2", link_generation=False, memory_evolution=False)
    found = drift(stored_memories(run))
    assert found.notes == 6
    assert found.orphan_share == 0.5
