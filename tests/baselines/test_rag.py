"""Plain retrieval: what is embedded, what is shown, and that it is A-Mem with everything switched off."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amem.agentic import AMem
from amem.contract import Observation, Question, Session, Source, Tools, Turn
from amem.errors import ConfigurationError, DataError
from amem.settings import AMemSettings
from baselines.rag import Rag, RagSettings
from eval.runner.memory_files import memory_hash
from tests.support import tools_for

TEXTS = ["The kiln arrived.", "Bread is in the oven.", "The kiln burns clay.", "We walk the dog."]
BARE = AMemSettings(attributes=False, link_generation=False, memory_evolution=False, link_k=5, retrieve_k=5)


def tools() -> Tools:
    def refuse(request: Any) -> str:
        raise AssertionError("plain retrieval calls no model")

    return tools_for(refuse)


def session(texts: list[str], number: int = 1, **extra: Any) -> Session:
    turns = tuple(Turn(f"D{number}:{i}", "Ines", text) for i, text in enumerate(texts, start=1))
    return Session(f"s{number}", number, datetime(2024, 3, number), f"{number} March, 2024", turns, **extra)


def rag(*sessions: Session, **values: Any) -> Rag:
    method = Rag(RagSettings(**values), tools())
    for each in sessions:
        method.ingest(each)
    return method


def question(text: str) -> Question:
    return Question("q", text, "single_hop")


@pytest.mark.parametrize("retriever", ["cosine", "bm25"])
def test_the_best_turns_come_first_under_their_dates(retriever: str) -> None:
    recall = rag(session(TEXTS), retriever=retriever, k=2).recall(question("kiln clay burns"))
    assert recall.sources == (Source("D1:3"), Source("D1:1"))
    assert recall.text == (
        '[1 March, 2024] Ines says: "The kiln burns clay."\n[1 March, 2024] Ines says: "The kiln arrived."'
    )


def test_scores_descend_and_stand_in_the_trace() -> None:
    hits = rag(session(TEXTS), k=4).recall(question("kiln")).trace["hits"]
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)
    assert {"document", "turns", "score"} == set(hits[0])


def test_dates_can_be_left_out() -> None:
    assert rag(session(TEXTS), k=1, dated=False).recall(question("dog")).text == 'Ines says: "We walk the dog."'


def test_a_picture_is_found_by_its_caption() -> None:
    shown = replace(session(TEXTS), turns=(*session(TEXTS).turns, Turn("D1:9", "Ines", "Look!", caption="a blue vase")))
    assert rag(shown, k=1).recall(question("blue vase")).sources == (Source("D1:9"),)


@pytest.mark.parametrize("retriever", ["cosine", "bm25"])
def test_equal_documents_come_in_the_order_they_were_said(retriever: str) -> None:
    recall = rag(session(["clay"] * 3), session(["clay"], number=2), k=4, retriever=retriever).recall(question("clay"))
    assert [source.turn_id for source in recall.sources] == ["D1:1", "D1:2", "D1:3", "D2:1"]


def test_observations_count_as_derived_from_their_turns() -> None:
    facts = (Observation("Ines", "Ines owns a kiln.", ("D1:1", "D1:3")), Observation("Ines", "A dog.", ("D1:4",)))
    recall = rag(session(TEXTS, observations=facts), documents="observations", k=1).recall(question("owns a kiln"))
    assert recall.text == "[1 March, 2024] Ines owns a kiln."
    assert recall.sources == (Source("D1:1", derived=True), Source("D1:3", derived=True))


def test_a_summary_counts_as_derived_from_its_whole_session() -> None:
    sessions = [session(TEXTS, summary="Ines gets a kiln."), session(["Hi."], number=2, summary="They meet.")]
    recall = rag(*sessions, documents="summaries", k=1).recall(question("they meet"))
    assert recall.sources == (Source("D2:1", derived=True),)


@pytest.mark.parametrize("documents", ["observations", "summaries"])
def test_documents_that_the_data_set_does_not_ship_are_an_error_with_a_way_out(documents: str) -> None:
    with pytest.raises(DataError, match=f"no {documents} to search.*settings.documents=turns"):
        rag(session(TEXTS), documents=documents).recall(question("kiln"))


@pytest.mark.parametrize(("name", "value"), [("documents", "pages"), ("retriever", "dragon"), ("k", 0)])
def test_impossible_settings_are_refused(name: str, value: Any) -> None:
    with pytest.raises(ConfigurationError, match=f"settings.{name}"):
        RagSettings(**{name: value})


@pytest.mark.parametrize("retriever", ["cosine", "bm25"])
def test_a_restored_memory_recalls_and_ingests_the_same(retriever: str) -> None:
    method = rag(session(TEXTS), retriever=retriever)
    snapshot = method.snapshot()
    again = Rag(method.settings, tools())
    again.restore(replace(snapshot, state=json.loads(json.dumps(snapshot.state))))
    for each in (method, again):
        each.ingest(session(["A second kiln."], number=2))
    assert again.recall(question("kiln")) == method.recall(question("kiln"))
    assert memory_hash(again.snapshot()) == memory_hash(method.snapshot())


def test_bm25_recalls_the_same_from_many_threads() -> None:
    method = rag(session(TEXTS), retriever="bm25", k=2)
    with ThreadPoolExecutor(4) as pool:
        recalls = list(pool.map(lambda _: method.recall(question("kiln")), range(16)))
    assert all(recall == recalls[0] for recall in recalls)


WORDS = st.sampled_from(["kiln", "clay", "dog", "bread", "vase", "river", "blue"])
SENTENCES = st.lists(st.lists(WORDS, min_size=1, max_size=6).map(" ".join), min_size=1, max_size=12)


@settings(max_examples=40, deadline=None)
@given(SENTENCES, SENTENCES, st.lists(WORDS, min_size=1, max_size=4).map(" ".join))
def test_it_finds_the_turns_that_bare_a_mem_finds(first: list[str], second: list[str], asked: str) -> None:
    plain, bare = Rag(RagSettings(k=5), tools()), AMem(BARE, tools())
    for method in (plain, bare):
        method.ingest(session(first))
        method.ingest(session(second, number=2))
    assert plain.recall(question(asked)).sources == bare.recall(question(asked)).sources
