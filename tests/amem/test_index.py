"""Exact cosine search by id."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amem.index import CosineIndex


def unit(*values: float) -> np.ndarray:
    vector = np.array(values, dtype=np.float32)
    return vector / np.linalg.norm(vector)


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.integers(1, 50))
def test_search_agrees_with_sorting_all_cosines(seed: int, size: int, k: int) -> None:
    vectors = np.random.default_rng(seed).normal(size=(size + 1, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    index = CosineIndex(8)
    for row in range(size):
        index.add(f"v{row}", vectors[row])
    scores = vectors[:size] @ vectors[size]
    expected = sorted(range(size), key=lambda row: (-round(float(scores[row]), 6), row))[:k]
    assert [hit.id for hit in index.search(vectors[size], k)] == [f"v{row}" for row in expected]


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(1, 30))
def test_a_large_index_finds_what_a_small_one_finds(seed: int, size: int, k: int) -> None:
    random = np.random.default_rng(seed)
    # Few different vectors, so that many scores tie.
    vectors = random.normal(size=(size, 8)).astype(np.float32)[random.integers(0, size, size)]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    index = CosineIndex(8)
    for row, vector in enumerate(vectors):
        index.add(f"v{row}", vector)
    excluded = [f"v{row}" for row in random.integers(0, size, 3)]
    small = index.search(vectors[0], k, exclude=excluded)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("amem.index.IN_CACHE_ROWS", 0)
        large = index.search(vectors[0], k, exclude=excluded)
    rows = [row for row in range(size) if f"v{row}" not in excluded]
    scores = vectors.astype(np.float64) @ vectors[0].astype(np.float64)
    best = sorted(rows, key=lambda row: (-round(float(scores[row]), 6), row))[:k]
    assert [hit.id for hit in large] == [f"v{row}" for row in best]
    assert [hit.score for hit in small] == [hit.score for hit in large]


def test_ties_keep_insertion_order() -> None:
    index = CosineIndex(2)
    for name in ("late", "early", "middle"):
        index.add(name, unit(1, 1))
    assert [hit.id for hit in index.search(unit(1, 1), 3)] == ["late", "early", "middle"]


def test_a_replaced_vector_is_found_by_its_new_value_only() -> None:
    index = CosineIndex(2)
    index.add("a", unit(1, 0))
    index.add("b", unit(1, 1))
    index.replace("a", unit(0, 1))
    assert index.search(unit(0, 1), 1)[0].id == "a"
    assert index.search(unit(1, 0), 1)[0].id == "b"
    assert len(index) == 2


def test_excluded_ids_do_not_use_up_places() -> None:
    index = CosineIndex(2)
    for name, vector in {"a": unit(1, 0), "b": unit(1, 0.1), "c": unit(0, 1)}.items():
        index.add(name, vector)
    assert [hit.id for hit in index.search(unit(1, 0), 2, exclude=["a"])] == ["b", "c"]


def test_an_empty_index_finds_nothing() -> None:
    assert CosineIndex(3).search(unit(1, 0, 0), 5) == []


def test_a_wrong_dimension_and_a_doubled_id_are_refused() -> None:
    index = CosineIndex(2)
    index.add("a", unit(1, 0))
    with pytest.raises(ValueError, match="2 floats"):
        index.add("b", unit(1, 0, 0))
    with pytest.raises(ValueError, match="already"):
        index.add("a", unit(1, 0))
