"""What stands beside figure 4 tells structure from none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from eval.figures.tsne import Dialogue, spread, structure, tsne

SESSIONS = ("a",) * 15 + ("b",) * 15


def vectors(apart: float) -> np.ndarray:
    draw = np.random.default_rng(0)
    centres = np.repeat(apart * np.eye(2, 16), 15, axis=0)
    found = centres + draw.normal(size=(30, 16)) * 0.2
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


def test_sessions_that_lie_apart_are_found_and_mixed_ones_are_not():
    apart, mixed = structure(vectors(2.0), SESSIONS, seeds=(0, 1)), structure(vectors(0.0), SESSIONS, seeds=(0, 1))
    assert apart.silhouette > 0.5 > abs(mixed.silhouette)
    assert apart.purity > 0.95 > 0.7 > mixed.purity
    assert all(0.7 < value <= 1 for value in apart.trustworthiness)
    assert len(apart.picture_silhouette) == 2


def test_one_session_has_purity_but_no_silhouette():
    one = structure(vectors(0.0), ("a",) * 30, seeds=(0, 1))
    assert one.purity == 1 and np.isnan(one.silhouette)


def test_the_interval_over_seeds_is_students():
    mean, low, high = spread([1.0, 2.0, 3.0])
    assert (mean, low, high) == pytest.approx((2.0, 2.0 - 4.302653 / 3**0.5, 2.0 + 4.302653 / 3**0.5), rel=1e-5)


def test_the_picture_is_the_same_every_time(tmp_path: Path):
    one = Dialogue("conversation", SESSIONS, vectors(2.0), vectors(0.0))
    saved = [tsne([one, one]).save(tmp_path / name) for name in ("first", "second")]
    assert [path.name for path in saved[0]] == ["tsne.pdf", "tsne.png"]
    assert [path.read_bytes() for path in saved[0]] == [path.read_bytes() for path in saved[1]]
