"""Drawn vectors: unit length, the same for the same seed, and as near to each other as the real ones."""

from __future__ import annotations

import numpy as np
import pytest

from eval.scaling.vectors import TextLike, nearness, random_vectors


@pytest.fixture(scope="module")
def turns() -> np.ndarray:
    """Stand-ins for turns: topics, and what is said about each near to them."""
    random = np.random.default_rng(0)
    topics = random.standard_normal((40, 48))
    vectors = np.repeat(topics, 10, axis=0) + 0.7 * random.standard_normal((400, 48))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def test_drawn_vectors_lie_as_near_to_each_other_as_real_ones(turns: np.ndarray) -> None:
    drawn = nearness(TextLike(turns).draw(len(turns), seed=3))
    spread_out = nearness(random_vectors(len(turns), 48, seed=0))
    real = nearness(turns)
    assert abs(drawn.nearest_cosine - real.nearest_cosine) < 0.03
    assert spread_out.nearest_cosine < real.nearest_cosine - 0.1


def test_the_fitted_scale_makes_the_same_vectors_again(turns: np.ndarray) -> None:
    fitted = TextLike(turns, seed=4)
    again = TextLike(turns, seed=4, scale=fitted.scale)
    np.testing.assert_array_equal(fitted.draw(100, seed=1), again.draw(100, seed=1))


def test_another_seed_draws_other_vectors(turns: np.ndarray) -> None:
    drawn = TextLike(turns, scale=0.5)
    assert not np.array_equal(drawn.draw(10, seed=1), drawn.draw(10, seed=2))


@pytest.mark.parametrize("doubled", [1, 3])
def test_doubles_among_the_turns_change_nothing(turns: np.ndarray, doubled: int) -> None:
    once = TextLike(turns, scale=0.5).draw(20, seed=0)
    np.testing.assert_array_equal(TextLike(np.tile(turns, (doubled, 1)), scale=0.5).draw(20, seed=0), once)


def test_all_vectors_have_length_one(turns: np.ndarray) -> None:
    for vectors in (TextLike(turns, scale=0.9).draw(200, seed=0), random_vectors(200, 48, seed=0)):
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-5)


def test_intrinsic_dimension_tells_a_plane_from_a_space() -> None:
    random = np.random.default_rng(0)
    space = random.standard_normal((800, 12)).astype(np.float32)
    plane = np.zeros_like(space)
    plane[:, :3] = space[:, :3]
    dimensions = [nearness(v / np.linalg.norm(v, axis=1, keepdims=True)).intrinsic_dimension for v in (plane, space)]
    assert dimensions[0] == pytest.approx(2, abs=0.6)
    assert dimensions[1] > 6
