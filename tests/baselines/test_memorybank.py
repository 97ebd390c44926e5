"""MemoryBank: what is written, stored, retrieved, forgotten and shown, and what happens to unusable replies."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from amem import tokens
from amem.contract import Recall, Snapshot, Source, Turn
from amem.errors import ConfigurationError
from amem.lm.types import FailureKind, ModelFailure, Request
from baselines.memorybank import MemoryBank, MemoryBankSettings
from tests.baselines.talk import ask, session, words
from tests.support import tools_for

SUMMARY, PORTRAIT = "memorybank_session_summary", "memorybank_session_portrait"
OVERALL, CHARACTER = "memorybank_global_summary", "memorybank_global_portrait"
PURPOSES = {SUMMARY, PORTRAIT, OVERALL, CHARACTER}
TALK = (
    session(1, ["I bought a kiln for the pottery", "Where does the kiln stand?", "In the shed", "Lovely"]),
    session(2, ["My dog ran away", "Did the dog come back?", "It came home at night", "Good dog"], days=10),
    session(3, ["I play the cello now", "Since when do you play cello?", "Since May", "Play me something"], days=200),
)


class Model:
    """Replies by purpose; keeps what it was asked."""

    def __init__(self, **replies: Any) -> None:
        self.replies = replies
        self.asked: list[Request] = []
        self._lock = threading.Lock()

    def __call__(self, request: Request) -> Any:
        with self._lock:
            self.asked.append(request)
        if request.purpose in self.replies:
            return self.replies[request.purpose]
        if request.schema:
            return json.dumps({who: f"{who}'s character" for who in request.schema["properties"]})
        return {SUMMARY: "a short day", OVERALL: "the whole story"}[request.purpose]

    def prompts(self, purpose: str) -> list[str]:
        return [request.messages[-1].content for request in self.asked if request.purpose == purpose]


def memory(model: Model, settings: Mapping[str, Any] | None = None, sessions: Any = TALK, **options: Any) -> MemoryBank:
    method = MemoryBank(MemoryBankSettings(**(settings or {})), tools_for(model, **options))
    for part in sessions:
        method.ingest(part)
    return method


def verbatim(recall: Recall) -> list[str]:
    return [source.turn_id for source in recall.sources if not source.derived]


def failing(kind: FailureKind) -> ModelFailure:
    return ModelFailure(kind, "scripted")


def test_portraits_and_the_global_summary_really_stand_in_the_recalled_text() -> None:
    recall = memory(Model()).recall(ask("Where is the kiln?"))
    for expected in ("Ines's character", "Bruno's character", "the whole story", "I bought a kiln", "05 March, 2024"):
        assert expected in recall.text
    assert recall.tokens == tokens.count(recall.text)
    assert set(recall.trace["tokens"]) == {"portraits", "global_summary", "memories"}


def test_an_exchange_is_retrieved_with_both_turns_names_and_date() -> None:
    recall = memory(Model(), {"top_k": 1, "glue_characters": 0}).recall(ask("Did the dog run away and come back?"))
    assert verbatim(recall) == ["D2:1", "D2:2"]
    assert "15 March, 2024" in recall.text and 'Bruno says: "Did the dog' in recall.text


def test_a_retrieved_summary_counts_for_the_turns_it_was_made_from() -> None:
    model = Model(**{SUMMARY: "zebra zebra zebra"})
    recall = memory(model, {"top_k": 1}, TALK[:1]).recall(ask("zebra zebra zebra"))
    assert "zebra" in recall.text.split("Remembered")[1]
    assert recall.sources == tuple(Source(f"D1:{n}", derived=True) for n in (1, 2, 3, 4))


def test_retrieved_turns_come_first_and_no_source_twice() -> None:
    recall = memory(Model(), {"top_k": 2, "glue_characters": 0}).recall(ask("kiln pottery cello"))
    assert len(set(recall.sources)) == len(recall.sources)
    assert {source.turn_id for source in recall.sources if source.derived} == {
        f"D{s}:{t}" for s in (1, 2, 3) for t in (1, 2, 3, 4)
    }
    assert recall.sources[0].derived is False


def test_the_session_is_summed_up_and_described_once_and_the_whole_after_each() -> None:
    model = Model()
    memory(model)
    assert {purpose: len(model.prompts(purpose)) for purpose in PURPOSES} == dict.fromkeys(PURPOSES, 3)
    assert "kiln" in model.prompts(SUMMARY)[0] and "05 March, 2024" in model.prompts(SUMMARY)[0]


def test_overall_texts_are_made_of_all_sessions() -> None:
    model = Model()
    memory(model)
    assert model.prompts(OVERALL)[-1].count("a short day") == 3
    assert model.prompts(CHARACTER)[-1].count("Ines's character") == 3


def test_overall_texts_can_go_on_from_the_text_so_far() -> None:
    model = Model()
    memory(model, {"global_from": "previous"})
    last = model.prompts(OVERALL)[-1]
    assert last.count("a short day") == 1 and "the whole story" in last
    assert model.prompts(CHARACTER)[-1].count("Ines's character") == 2


def test_only_those_who_talk_most_have_a_portrait() -> None:
    turns = tuple(Turn(f"D1:{n}", who, "hello") for n, who in enumerate(["Ada", "Ines", "Ines", "Bruno", "Bruno"]))
    method = memory(Model(), sessions=[replace(TALK[0], turns=turns)])
    assert set(method.reflections.portraits) == {"Ines", "Bruno"}


@pytest.mark.parametrize("purpose", [SUMMARY, OVERALL])
def test_a_summary_longer_than_its_limit_is_cut_and_counted(purpose: str) -> None:
    method = memory(Model(**{purpose: words(5000)}), {"summary_tokens": 40}, TALK[:1])
    text = method.reflections.summaries["session_1"] if purpose == SUMMARY else method.reflections.global_summary
    assert 0 < tokens.count(text or "") <= 40 and set((text or "").split()) == {"clay"}
    assert method.counters == {"reflections_cut_at_limit": 1}


def test_a_portrait_longer_than_its_limit_is_cut_and_counted() -> None:
    model = Model(**{CHARACTER: json.dumps({"Ines": words(500), "Bruno": "calm"})})
    method = memory(model, {"portrait_tokens": 30}, TALK[:1])
    assert tokens.count(method.reflections.portraits["Ines"]) <= 30
    assert method.reflections.portraits["Bruno"] == "calm"
    assert method.counters == {"reflections_cut_at_limit": 1}


@pytest.mark.parametrize("purpose", sorted(PURPOSES))
def test_what_the_model_does_not_give_is_absent_counted_and_not_made_up(purpose: str) -> None:
    method = memory(Model(**{purpose: failing(FailureKind.REFUSAL)}), sessions=TALK[:1])
    assert method.counters == {f"failed:{purpose}:refusal": 1}
    recall = method.recall(ask("kiln"))
    assert "I bought a kiln" in recall.text
    missing = {SUMMARY: "a short day", OVERALL: "the whole story", PORTRAIT: "character", CHARACTER: "character"}
    assert missing[purpose] not in recall.text


def test_an_unusable_overall_text_stays_as_it_was() -> None:
    model = Model()
    method = memory(model, sessions=TALK[:1])
    model.replies |= {OVERALL: failing(FailureKind.REFUSAL), CHARACTER: "no JSON at all"}
    method.ingest(TALK[1])
    assert method.reflections.global_summary == "the whole story"
    assert method.reflections.portraits["Ines"] == "Ines's character"
    assert method.counters == {f"failed:{OVERALL}:refusal": 1, f"failed:{CHARACTER}:schema": 1}


@pytest.mark.parametrize("purpose", sorted(PURPOSES))
@pytest.mark.parametrize("kind", [FailureKind.SERVER, FailureKind.BUDGET])
def test_a_failure_of_the_day_stops_the_ingest_and_leaves_the_memory_as_it_was(purpose: str, kind: FailureKind) -> None:
    model = Model()
    method = memory(model, sessions=TALK[:1])
    before = method.snapshot().state
    model.replies[purpose] = failing(kind)
    with pytest.raises(ModelFailure):
        method.ingest(TALK[1])
    assert method.snapshot().state == before


def test_nothing_is_forgotten_unless_asked_for() -> None:
    recall = memory(Model()).recall(ask("the kiln of the pottery in the shed"))
    assert recall.trace["forgotten"] == 0 and "D1:1" in verbatim(recall)


@pytest.mark.parametrize("mode", ["paper", "repo"])
def test_after_200_days_at_strength_1_only_the_last_session_is_left(mode: str) -> None:
    recall = memory(Model(), {"forgetting": mode, "top_k": 9}).recall(ask("kiln dog cello"))
    assert set(verbatim(recall)) == {f"D3:{n}" for n in (1, 2, 3, 4)}
    assert {hit["piece"].split("/")[0] for hit in recall.trace["hits"]} == {"3"}


def test_a_summary_is_forgotten_with_the_last_exchange_of_its_session() -> None:
    partly = 0
    for seed in range(20):
        store = memory(Model(), {"forgetting": "paper", "tau_days": 120}, seed=seed).store
        gone = store.forgotten()
        kept = {place.session for place in store.exchanges if place not in gone}
        assert {place.session for place in gone if place.is_summary} == {1, 2, 3} - kept
        partly += any(place.session in kept for place in gone)
    assert partly


def test_forgetting_depends_on_the_seed_only_and_not_on_the_order_of_questions_or_threads() -> None:
    questions = [ask(f"{word} number {n}?") for n, word in enumerate(["kiln", "dog", "cello", "shed", "night"] * 8)]
    settings = {"forgetting": "paper", "tau_days": 100, "top_k": 4}
    straight = [memory(Model(), settings).recall(question) for question in questions]
    method = memory(Model(), settings)
    with ThreadPoolExecutor(8) as pool:
        mixed = list(pool.map(method.recall, reversed(questions)))
    assert mixed[::-1] == straight


def test_asking_does_not_change_the_memory() -> None:
    method = memory(Model(), {"forgetting": "paper", "tau_days": 100})
    before = method.snapshot()
    for _ in range(3):
        method.recall(ask("dog"))
    after = method.snapshot()
    assert after.state == before.state and np.array_equal(after.arrays["vectors"], before.arrays["vectors"])


def test_strength_grows_while_a_live_dialogue_is_read_in_if_asked_for() -> None:
    again = session(4, ["Where does the kiln of the pottery stand?", "Still in the shed"], days=12)
    sessions = [TALK[0], TALK[1], again]
    read_in = memory(Model(), {"forgetting": "paper", "tau_days": 100}, sessions)
    lived = memory(Model(), {"forgetting": "paper", "tau_days": 100, "strengthen_on_ingest": True}, sessions)
    assert {e.strength for e in read_in.store.exchanges.values()} == {1}
    recalled = [e for e in lived.store.exchanges.values() if e.strength > 1]
    assert recalled and all(e.recalled_on > TALK[0].when.date() for e in recalled)
    assert lived.counters["recalls_on_ingest"] == sum(e.strength - 1 for e in lived.store.exchanges.values())


def test_a_part_of_a_session_completes_the_exchange_that_the_question_cut() -> None:
    method = memory(Model(), sessions=[session(1, ["a dog", "a cat", "a fox"])])
    method.ingest(session(1, ["an owl", "a hen"], part=1, first=4))
    exchanges = [[turn.text for turn in e.turns] for e in method.store.exchanges.values()]
    assert exchanges == [["a dog", "a cat"], ["a fox", "an owl"], ["a hen"]]
    assert sorted(method.store.ids) == ["1/0", "1/1", "1/2", "1/summary"]


def test_captions_are_stored_and_shown() -> None:
    turn = Turn("D1:1", "Ines", "Look!", caption="a blue kiln")
    method = memory(Model(), sessions=[replace(session(1, []), turns=(turn,))])
    assert "a blue kiln" in method.recall(ask("kiln")).text


def test_an_empty_memory_recalls_nothing() -> None:
    recall = memory(Model(), sessions=[]).recall(ask())
    assert (recall.text, recall.sources, recall.tokens) == ("", (), 0)


def test_side_by_side_calls_give_the_same_memory() -> None:
    one, many = memory(Model()), memory(Model(), concurrency=4)
    assert one.snapshot().state == many.snapshot().state


@pytest.mark.parametrize("settings", [{}, {"forgetting": "paper", "tau_days": 60, "strengthen_on_ingest": True}])
def test_a_restored_memory_recalls_the_same_and_takes_in_the_same(settings: dict[str, Any]) -> None:
    method, twin = memory(Model(), settings, TALK[:2]), memory(Model(), settings, [])
    snapshot = method.snapshot()
    twin.restore(Snapshot(json.loads(json.dumps(snapshot.state)), snapshot.arrays))
    for one in (method, twin):
        one.ingest(TALK[2])
    assert twin.recall(ask("dog")) == method.recall(ask("dog"))
    assert twin.snapshot().state == method.snapshot().state
    assert np.array_equal(twin.snapshot().arrays["vectors"], method.snapshot().arrays["vectors"])


@pytest.mark.parametrize("wrong", [{"forgetting": "slow"}, {"global_from": "all"}, {"tau_days": 0}])
def test_impossible_settings_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        MemoryBankSettings(**wrong)
