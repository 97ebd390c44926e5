"""Sessions as documents: they grow with what is played, are found by each of their turns, and cut to the window."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amem import tokens
from amem.contract import Session, Source
from amem.errors import ConfigurationError
from amem.index import Hit
from baselines._documents import nearest_documents, stretches
from baselines.rag import Rag, RagSettings
from eval.datasets.locomo import load_locomo
from eval.runner.memory_files import memory_hash
from tests.baselines.talk import ask, session
from tests.support import tools_for

KILN = ["The kiln arrived.", "Does it burn clay?"]
LATER = ["It burned a vase.", "Blue?"]
WALK = ["We walk the dog.", "By the river."]
BREAD = session(9, ["Bread is in the oven.", "It smells of rye."], days=20)
"""BM25 gives no weight to a word that half of all documents have, so that two documents are too few."""
BOTH = pytest.mark.parametrize("retriever", ["cosine", "bm25"])


def refuse(_: Any) -> str:
    raise AssertionError("plain retrieval calls no model")


def rag(*sessions: Session, window: int = 32_768, **values: Any) -> Rag:
    method = Rag(RagSettings(documents="sessions", **values), tools_for(refuse, window=window))
    for each in sessions:
        method.ingest(each)
    return method


@BOTH
def test_a_session_is_shown_whole_under_its_date_and_number(retriever: str) -> None:
    recall = rag(session(1, KILN), session(2, WALK, days=3), BREAD, retriever=retriever, k=1).recall(ask("river dog"))
    assert recall.text == ('[08 March, 2024, session 2]\nInes says: "We walk the dog."\nBruno says: "By the river."')
    assert recall.sources == (Source("D2:1"), Source("D2:2"))
    assert recall.tokens == tokens.count(recall.text)


@BOTH
def test_a_session_that_goes_on_takes_the_place_of_its_first_part(retriever: str) -> None:
    method = rag(BREAD, session(1, WALK), session(2, KILN), retriever=retriever, k=1)
    before = method.recall(ask("kiln arrived"))
    method.ingest(session(2, LATER, part=1, first=3))
    after = method.recall(ask("blue vase"))
    assert [source.turn_id for source in before.sources] == ["D2:1", "D2:2"]
    assert [source.turn_id for source in after.sources] == ["D2:1", "D2:2", "D2:3", "D2:4"]
    assert after.text.count("The kiln arrived.") == 1


@BOTH
@pytest.mark.parametrize("words", [3, 7, None])
def test_parts_make_the_memory_that_the_whole_session_makes(retriever: str, words: int | None) -> None:
    parts = rag(session(1, KILN), session(1, LATER, part=1, first=3), retriever=retriever, stretch_words=words)
    whole = rag(session(1, KILN + LATER), retriever=retriever, stretch_words=words)
    assert memory_hash(parts.snapshot()) == memory_hash(whole.snapshot())
    assert parts.recall(ask("vase")) == whole.recall(ask("vase"))


@BOTH
def test_a_restored_memory_goes_on_with_a_half_played_session(retriever: str) -> None:
    method = rag(session(1, WALK), session(2, KILN), retriever=retriever, stretch_words=6)
    snapshot = method.snapshot()
    again = rag(retriever=retriever, stretch_words=6)
    again.restore(replace(snapshot, state=json.loads(json.dumps(snapshot.state))))
    for each in (method, again):
        each.ingest(session(2, LATER, part=1, first=3))
    assert again.recall(ask("vase")) == method.recall(ask("vase"))
    assert memory_hash(again.snapshot()) == memory_hash(method.snapshot())


def test_a_long_session_is_found_by_what_is_said_at_its_end() -> None:
    long = session(1, [f"We talk of the weather on day {day}." for day in range(40)] + ["A blue vase."])
    other = session(2, ["A blue dog.", "And the weather."])
    by_stretch = rag(long, other, k=1, stretch_words=20)
    by_whole = rag(long, other, k=1, stretch_words=None)
    assert by_stretch.recall(ask("a blue vase")).sources[0] == Source("D1:1")
    assert by_whole.recall(ask("a blue vase")).sources[0] == Source("D2:1")


@BOTH
@pytest.mark.parametrize("documents", ["turns", "sessions"])
def test_dates_are_searched_where_they_are_asked_to_be(documents: str, retriever: str) -> None:
    sessions = [session(1, ["clay"], days=9), session(2, ["clay"], days=10), session(3, ["clay"], days=11)]
    values = {"documents": documents, "retriever": retriever, "k": 1}
    for searched, expected in ((True, "D2:1"), (False, "D1:1")):
        method = Rag(RagSettings(date_searched=searched, **values), tools_for(refuse))
        for each in sessions:
            method.ingest(each)
        assert method.recall(ask("What was on 15 March?")).sources[0].turn_id == expected


def test_what_does_not_fit_is_dropped_worst_first_and_only_turns_that_are_shown_are_credited() -> None:
    best = session(1, ["kiln " * 20, "kiln clay", "kiln vase"])
    next_best = session(2, ["kiln " * 30, "dog " * 40, "dog " * 40])
    last = session(3, ["dog " * 60])
    method = rag(best, next_best, last, window=150, answer_reserve_tokens=0, k=3)
    recall = method.recall(ask("kiln"))
    assert [source.turn_id for source in recall.sources] == ["D1:1", "D1:2", "D1:3", "D2:1"]
    assert recall.trace["documents_dropped"] == 1 and recall.trace["turns_dropped"] == 3
    assert recall.trace["counts"] == {"context_truncated": 1}
    assert method.tools.lm.count_tokens(recall.text) <= 150
    assert "dog" not in recall.text


def test_nothing_is_said_of_truncation_where_there_is_none() -> None:
    assert set(rag(session(1, KILN)).recall(ask("kiln")).trace) == {"hits"}


@pytest.mark.parametrize(("name", "value"), [("stretch_words", 0), ("answer_reserve_tokens", -1)])
def test_impossible_lengths_are_refused(name: str, value: int) -> None:
    with pytest.raises(ConfigurationError, match=f"settings.{name}"):
        RagSettings(**{name: value})


LINES = st.lists(st.lists(st.sampled_from(["kiln", "clay", "dog"]), min_size=1, max_size=9).map(" ".join), max_size=20)


@given(LINES, LINES, st.integers(1, 12))
@settings(max_examples=60, deadline=None)
def test_more_turns_leave_all_stretches_but_the_last_as_they_are(first: list[str], more: list[str], words: int) -> None:
    before, after = list(stretches(first, words)), list(stretches(first + more, words))
    assert after[: len(before) - 1] == before[:-1]
    assert "\n".join(after) == "\n".join(first + more)
    assert all(len(stretch.split()) <= words or "\n" not in stretch for stretch in after)


def test_a_document_is_as_near_as_its_nearest_stretch() -> None:
    hits = [Hit("d2#1", 0.9), Hit("d2#0", 0.8), Hit("d0#0", 0.7), Hit("d1#0", 0.6)]
    assert nearest_documents(hits, 2) == [Hit("d2", 0.9), Hit("d0", 0.7)]


@BOTH
def test_on_locomo_sessions_hold_all_turns_and_recall_credits_those_inside(locomo_file: Path, retriever: str) -> None:
    conversation = load_locomo(locomo_file).conversations[0]
    method = rag(*conversation.sessions, retriever=retriever, k=2)
    shown = [source.turn_id for source in method.recall(conversation.items[0].question).sources]
    of_session = {turn.id: each.id for each in conversation.sessions for turn in each.turns}
    assert len({of_session[turn] for turn in shown}) == 2
    for each in {of_session[turn] for turn in shown}:
        assert {turn for turn, owner in of_session.items() if owner == each} <= set(shown)
