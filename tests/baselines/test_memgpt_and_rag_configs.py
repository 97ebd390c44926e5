"""The shipped YAML files of MemGPT and plain retrieval fit their settings and give the published values."""

from __future__ import annotations

import pytest

from baselines._memgpt.settings import MemGPTSettings
from baselines.rag import RagSettings
from eval.composition import compose, method_settings


def settings(name: str, *overrides: str):  # type: ignore[no-untyped-def]
    run = compose([f"method=[{name}]", "backbone=[scripted]", *overrides])
    method = run.methods[name]
    return method_settings(name, method._target_, method.settings)


def test_memgpt_has_the_released_values() -> None:
    assert settings("memgpt") == MemGPTSettings()


def test_memgpt_full_differs_in_its_mode_alone() -> None:
    assert settings("memgpt_full") == MemGPTSettings(mode="full")


def test_a_profile_can_make_memgpts_window_small() -> None:
    assert settings("memgpt", "profile=embedded", "backbone=[scripted]").window < 2000


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("rag", RagSettings(k=7)),
        ("rag_bm25", RagSettings(retriever="bm25", k=7)),
        ("rag_observations", RagSettings(documents="observations", k=7)),
        ("rag_summaries", RagSettings(documents="summaries", k=5)),
    ],
)
def test_plain_retrieval_shares_its_k_with_a_mem(name: str, expected: RagSettings) -> None:
    assert settings(name, "retrieve.k=7") == expected


@pytest.mark.parametrize("retriever", ["cosine", "bm25"])
@pytest.mark.parametrize(("history", "documents", "k"), [("utts", "turns", 20), ("sessions", "sessions", 10)])
def test_dialsims_histories_have_the_k_that_its_simulator_forces(
    history: str, documents: str, k: int, retriever: str
) -> None:
    name = f"rag_{history}" + ("_bm25" if retriever == "bm25" else "")
    expected = RagSettings(documents=documents, retriever=retriever, k=k, date_searched=True)
    assert settings(name, "retrieve.k=7") == expected
