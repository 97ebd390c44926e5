"""Saved heads are found by their tokens; the one longest unused makes room."""

from __future__ import annotations

from pathlib import Path

import pytest

from amem.lm.providers import _heads
from amem.lm.providers._heads import SavedHeads


def save(heads: SavedHeads, *head: int) -> str:
    name = heads.new_name()
    (heads.folder / name).touch()
    heads.add(list(head), name)
    return name


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_head_is_found_by_its_tokens(tmp_path: Path) -> None:
    heads = SavedHeads(tmp_path)
    name = save(heads, 1, 2)
    assert heads.find([1, 2]) == name
    assert heads.find([1]) is None


def test_the_head_longest_unused_makes_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_heads, "MOST", 2)
    heads = SavedHeads(tmp_path)
    first, _ = save(heads, 1), save(heads, 2)
    heads.find([1])
    third = save(heads, 3)
    assert heads.find([2]) is None
    assert files(tmp_path) == {first, third}


def test_a_head_saved_twice_keeps_one_file(tmp_path: Path) -> None:
    heads = SavedHeads(tmp_path)
    save(heads, 1)
    again = save(heads, 1)
    assert heads.find([1]) == again
    assert files(tmp_path) == {again}
