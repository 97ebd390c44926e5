"""What stands beside figure 4 tells structure from none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from amem.contract import Snapshot
from eval.figures.structure import Dialogue, Pictured, dialogues_of, spread
from eval.figures.tsne import tsne
from eval.memories.stored import StoredMemory
from eval.tables.markdown import to_markdown
from eval.tables.structure import structure_table

SESSIONS = ("a",) * 15 + ("b",) * 15


def vectors(apart: float) -> np.ndarray:
    draw = np.random.default_rng(0)
    centres = np.repeat(apart * np.eye(2, 16), 15, axis=0)
    found = centres + draw.normal(size=(30, 16)) * 0.2
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


def pictured(apart: float, sessions: tuple[str, ...] = SESSIONS) -> Pictured:
    return Pictured(Dialogue("conversation", sessions, vectors(apart), vectors(0.0)), seeds=(0, 1))


def test_sessions_that_lie_apart_are_found_and_mixed_ones_are_not():
    found = pictured(2.0).structures
    apart, mixed = found["A-Mem"], found["base"]
    assert apart.silhouette > 0.5 > abs(mixed.silhouette)
    assert apart.purity > 0.95 > 0.7 > mixed.purity
    assert np.mean(apart.in_picture["purity"]) > np.mean(mixed.in_picture["purity"])
    assert all(0.5 < value <= 1 for value in apart.in_picture["trustworthiness"])


def test_every_figure_of_the_picture_has_an_interval_over_the_seeds():
    one = pictured(2.0)
    assert {len(values) for values in one.structures["base"].in_picture.values()} == {2}
    (_, record) = structure_table([one]).records
    for measure in ("silhouette", "purity", "trustworthiness"):
        low, mean, high = (record[f"picture_{measure}{end}"] for end in ("_low", "", "_high"))
        assert low < mean < high


def test_one_session_has_purity_but_no_silhouette():
    one = pictured(0.0, ("a",) * 30)
    found = one.structures["A-Mem"]
    assert found.purity == 1 and np.isnan(found.silhouette)
    assert "–" in to_markdown(structure_table([one]))


def test_the_interval_over_seeds_is_students():
    mean, low, high = spread([1.0, 2.0, 3.0])
    assert (mean, low, high) == pytest.approx((2.0, 2.0 - 4.302653 / 3**0.5, 2.0 + 4.302653 / 3**0.5), rel=1e-5)


def test_the_picture_is_the_same_every_time(tmp_path: Path):
    saved = [tsne([pictured(2.0), pictured(1.0)]).save(tmp_path / name) for name in ("first", "second")]
    assert [path.name for path in saved[0]] == ["tsne.pdf", "tsne.png"]
    assert [path.read_bytes() for path in saved[0]] == [path.read_bytes() for path in saved[1]]


def test_a_repeat_of_a_conversation_is_no_second_dialogue():
    notes = [{"session": "s1"} for _ in range(11)]
    state = {"notes": notes, "history": [], "vectors": {"first_vectors_of": []}}
    arrays = {"vectors": np.eye(11, dtype=np.float32), "first_vectors": np.empty((0, 11), np.float32)}
    for note, place in zip(notes, range(11), strict=True):
        note["id"] = f"n{place}"
    memories = [
        StoredMemory("b", "amem", name, Snapshot(state, arrays), {}) for name in ("one", "one.repeat1", "two", "three")
    ]
    assert [one.name for one in dialogues_of(memories)] == ["one", "two"]
