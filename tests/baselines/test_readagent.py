"""ReadAgent: pages and gists at ingest, look-up at recall, and what happens when replies can't be used."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from amem import tokens
from amem.contract import Recall, Snapshot, Source, Turn
from amem.errors import ConfigurationError
from amem.lm.ledger import collecting
from amem.lm.types import FailureKind, ModelFailure, Request
from baselines.readagent import ReadAgent, ReadAgentSettings
from tests.baselines.talk import ask, session, words
from tests.support import tools_for


class Model:
    """Replies by purpose; a gist names the first turn of its page. Keeps what it was asked."""

    def __init__(self, **replies: Any) -> None:
        self.replies: dict[str, Any] = {"readagent_paginate": "<1>", "readagent_lookup": "[]", **replies}
        self.asked: list[Request] = []

    def __call__(self, request: Request) -> Any:
        self.asked.append(request)
        if request.purpose == "readagent_gist" and "readagent_gist" not in self.replies:
            return "GIST " + re.search(r'says: "(\w+)', request.messages[-1].content).group(1)  # type: ignore[union-attr]
        reply = self.replies[request.purpose]
        return reply.pop(0) if isinstance(reply, list) else reply

    def prompts(self, purpose: str) -> list[str]:
        return [request.messages[-1].content for request in self.asked if request.purpose == purpose]


def memory(model: Model, settings: Mapping[str, Any] | None = None, **options: Any) -> ReadAgent:
    return ReadAgent(ReadAgentSettings(**(settings or {})), tools_for(model, **options))


def four_pages(model: Model, settings: Mapping[str, Any] | None = None, **options: Any) -> ReadAgent:
    """Four sessions of one short page each, beginning with the words alpha, beta, gamma, delta."""
    method = memory(model, settings, **options)
    for number, word in enumerate(("alpha", "beta", "gamma", "delta"), start=1):
        method.ingest(session(number, [f"{word} {words(9)}", f"{word}2 {words(9)}"], days=number))
    return method


def ids(recall: Recall, *, derived: bool) -> list[str]:
    return [source.turn_id for source in recall.sources if source.derived is derived]


def failing(kind: FailureKind) -> ModelFailure:
    return ModelFailure(kind, "scripted")


def test_a_session_over_the_limit_is_broken_where_the_model_says() -> None:
    model = Model(readagent_paginate="<2>")
    method = memory(model)
    method.ingest(session(1, [words(98)] * 7))
    assert [len(page.session.turns) for page in method.pages] == [4, 3]


def test_labels_stand_in_the_prompt_and_the_page_before_is_shown() -> None:
    model = Model(readagent_paginate="<1>")
    memory(model).ingest(session(1, [f"w{n} {words(97)}" for n in range(10)]))
    first, second, *_ = model.prompts("readagent_paginate")
    assert [label for label in ("<1>", "<4>", "<5>") if label in first.split("At which mark")[0]] == ["<1>", "<4>"]
    assert "w2 " in second.split("to be divided:")[0] and "w3 " in second.split("to be divided:")[1]


@pytest.mark.parametrize("reply", ["no idea", "<9>"])
def test_without_a_valid_label_the_last_one_is_taken_and_counted(reply: str) -> None:
    method = memory(Model(readagent_paginate=reply))
    method.ingest(session(1, [words(98)] * 8))
    assert [len(page.session.turns) for page in method.pages] == [6, 2]
    assert method.counters["break_label_invalid"] == 1


def test_without_a_reply_the_last_label_is_taken_and_the_failure_counted() -> None:
    method = memory(Model(readagent_paginate=failing(FailureKind.REFUSAL)))
    method.ingest(session(1, [words(98)] * 8))
    assert [len(page.session.turns) for page in method.pages] == [6, 2]
    assert method.counters == {"failed:readagent_paginate:refusal": 1}


def test_a_short_session_is_one_page_without_asking() -> None:
    model = Model()
    memory(model).ingest(session(1, [words(20)] * 5))
    assert [request.purpose for request in model.asked] == ["readagent_gist"]


def test_one_giant_turn_is_a_page_of_its_own_and_counted() -> None:
    method = memory(Model())
    method.ingest(session(1, ["hello there", words(1500), "and bye"]))
    assert [len(page.session.turns) for page in method.pages] == [1, 1, 1]
    assert method.counters["pages_over_limit"] == 1


def test_no_page_crosses_a_session() -> None:
    method = four_pages(Model())
    assert [page.session.number for page in method.pages] == [1, 2, 3, 4]


def test_a_gist_is_asked_for_without_any_question_and_with_the_date() -> None:
    model = Model()
    memory(model).ingest(session(1, ["alpha one", "alpha two"]))
    assert "05 March, 2024" in model.prompts("readagent_gist")[0]
    assert "alpha two" in model.prompts("readagent_gist")[0]


def test_pages_and_gists_are_made_once_and_asked_many_times() -> None:
    model = Model()
    method = four_pages(model)
    for number in range(5):
        method.recall(ask(f"Question {number}?"))
    assert len(model.prompts("readagent_gist")) == 4
    assert len(model.prompts("readagent_lookup")) == 5


def test_chosen_pages_replace_their_gists_in_place() -> None:
    recall = four_pages(Model(readagent_lookup="I need [3, 1]")).recall(ask())
    found = re.findall(r"GIST \w+|\bgamma2?\b|\balpha2?\b", recall.text)
    assert found == ["alpha", "alpha2", "GIST beta", "gamma", "gamma2", "GIST delta"]
    assert ids(recall, derived=False) == ["D3:1", "D3:2", "D1:1", "D1:2"]
    assert ids(recall, derived=True) == ["D2:1", "D2:2", "D4:1", "D4:2"]
    assert recall.trace["opened"] == [3, 1]
    assert recall.tokens == tokens.count(recall.text)


def test_gists_and_pages_carry_the_date_and_only_the_look_up_numbers_them() -> None:
    model = Model(readagent_lookup="[1]")
    recall = four_pages(model).recall(ask())
    for text in (model.prompts("readagent_lookup")[0], recall.text):
        assert "06 March, 2024" in text and "09 March, 2024" in text
    assert "Page 4" in model.prompts("readagent_lookup")[0]
    assert "Page" not in recall.text


@pytest.mark.parametrize(
    ("reply", "counted"),
    [
        ("pages one and two", {"lookup_unusable": 1}),
        ("[17]", {"lookup_out_of_range": 1}),
        (failing(FailureKind.REFUSAL), {"failed:readagent_lookup:refusal": 1}),
        (" ", {"failed:readagent_lookup:empty": 1}),
    ],
)
def test_an_unusable_look_up_leaves_the_gists_and_is_counted(reply: Any, counted: dict[str, int]) -> None:
    method = four_pages(Model(readagent_lookup=reply))
    recall = method.recall(ask())
    assert ids(recall, derived=False) == [] and len(ids(recall, derived=True)) == 8
    assert recall.trace["counts"] == counted


def test_no_more_pages_are_opened_than_allowed() -> None:
    recall = four_pages(Model(readagent_lookup="[4, 3, 2, 1]"), {"max_pages": 2}).recall(ask())
    assert recall.trace["opened"] == [4, 3]
    assert recall.trace["counts"] == {"lookup_over_cap": 2}


def test_sequential_look_up_opens_page_by_page_and_shows_what_it_opened() -> None:
    model = Model(readagent_lookup_next=["[2]", "[4]", "STOP"])
    recall = four_pages(model, {"lookup": "sequential"}).recall(ask())
    assert recall.trace["opened"] == [2, 4]
    first, second, third = model.prompts("readagent_lookup_next")
    assert "beta2" not in first and "beta2" in second and "delta2" not in second and "delta2" in third


def test_sequential_look_up_ends_at_its_limit() -> None:
    model = Model(readagent_lookup_next=["[1]", "[2]", "[3]"])
    assert four_pages(model, {"lookup": "sequential", "max_steps": 2}).recall(ask()).trace["opened"] == [1, 2]


@pytest.mark.parametrize(
    ("second", "counted"),
    [
        ("[2]", {"lookup_repeated": 1}),
        ("[9]", {"lookup_out_of_range": 1}),
        ("perhaps", {"lookup_unusable": 1}),
        (failing(FailureKind.REFUSAL), {"failed:readagent_lookup_next:refusal": 1}),
    ],
)
def test_sequential_look_up_keeps_what_it_has_after_an_unusable_reply(second: Any, counted: dict[str, int]) -> None:
    model = Model(readagent_lookup_next=["[2]", second])
    recall = four_pages(model, {"lookup": "sequential"}).recall(ask())
    assert recall.trace["opened"] == [2]
    assert recall.trace["counts"] == counted


def test_without_look_up_no_call_is_made_for_a_question() -> None:
    model = Model()
    method = four_pages(model, {"lookup": "none"})
    with collecting() as calls:
        recall = method.recall(ask())
    assert calls == [] and len(ids(recall, derived=True)) == 8


def test_a_page_without_a_gist_has_a_marker_can_be_opened_and_is_no_source() -> None:
    model = Model(readagent_gist=failing(FailureKind.REFUSAL))
    method = four_pages(model)
    assert method.counters["failed:readagent_gist:refusal"] == 4
    closed = method.recall(ask())
    assert "no short version" in closed.text and closed.sources == ()
    model.replies["readagent_lookup"] = "[2]"
    assert ids(method.recall(ask("And then?")), derived=False) == ["D2:1", "D2:2"]


@pytest.mark.parametrize(
    "kind",
    [FailureKind.SERVER, FailureKind.TIMEOUT, FailureKind.RATE_LIMIT, FailureKind.BUDGET, FailureKind.BAD_REQUEST],
)
def test_a_failure_of_the_day_stops_the_ingest_and_leaves_the_memory_as_it_was(kind: FailureKind) -> None:
    model = Model()
    method = four_pages(model)
    before = method.snapshot()
    model.replies["readagent_gist"] = failing(kind)
    with pytest.raises(ModelFailure) as failure:
        method.ingest(session(5, [words(98)] * 8, days=5))
    assert failure.value.kind is kind
    assert method.snapshot() == before


def test_a_failure_of_the_day_stops_the_question() -> None:
    method = four_pages(Model(readagent_lookup=failing(FailureKind.SERVER)))
    with pytest.raises(ModelFailure):
        method.recall(ask())


def test_the_next_part_of_a_session_goes_on_with_the_page_that_the_question_cut() -> None:
    method = memory(Model())
    method.ingest(session(1, ["alpha", "beta"]))
    method.ingest(session(1, ["gamma", "delta"], part=1, first=3))
    assert [[turn.text for turn in page.session.turns] for page in method.pages] == [
        ["alpha", "beta", "gamma", "delta"]
    ]


def test_a_session_without_turns_has_no_page() -> None:
    method = memory(Model())
    method.ingest(session(1, []))
    assert method.pages == ()


def test_an_empty_memory_recalls_nothing_and_asks_nothing() -> None:
    model = Model()
    recall = memory(model).recall(ask())
    assert (recall.text, recall.sources, recall.tokens, model.asked) == ("", (), 0, [])


def test_where_the_window_is_small_the_oldest_gists_are_left_out_first() -> None:
    reserve = {"answer_reserve_tokens": 50, "lookup": "none"}
    roomy = four_pages(Model(), reserve)
    count = roomy.tools.lm.count_tokens
    newest = "\n\n".join(roomy.recall(ask()).text.split("\n\n")[2:])
    tight = memory(Model(), reserve, window=50 + count(ask().text) + count(newest))
    tight.restore(roomy.snapshot())
    recall = tight.recall(ask())
    assert recall.text == newest
    assert recall.trace["counts"] == {"pages_left_out_for_room": 2}


def test_an_opened_page_that_does_not_fit_goes_back_to_its_gist() -> None:
    model = Model(readagent_lookup="[1, 2]")
    roomy = memory(model)
    roomy.ingest(session(1, [f"alpha {words(20)}"]))
    roomy.ingest(session(2, [f"beta {words(590, 'pottery')}"], days=1))
    tight = memory(model, {"answer_reserve_tokens": 300}, window=900)
    tight.restore(roomy.snapshot())
    recall = tight.recall(ask())
    assert recall.trace["opened"] == [1]
    assert recall.trace["counts"] == {"pages_closed_for_room": 1}
    assert "GIST beta" in recall.text


def test_captions_stand_on_the_page() -> None:
    model = Model()
    turn = Turn("D1:1", "Ines", "Look!", caption="a blue kiln")
    memory(model).ingest(replace(session(1, []), turns=(turn,)))
    assert "a blue kiln" in model.prompts("readagent_gist")[0]


def test_the_methods_own_calls_are_made_at_its_temperature() -> None:
    model = Model()
    four_pages(model, {"temperature": 0.3}).recall(ask())
    assert {request.sampling.temperature for request in model.asked} == {0.3}


def test_calls_are_labelled_by_purpose() -> None:
    method = four_pages(Model())
    with collecting() as calls:
        method.recall(ask())
    assert [call.purpose for call in calls] == ["readagent_lookup"]


def test_a_restored_memory_recalls_the_same_and_takes_in_the_same() -> None:
    method, twin = four_pages(Model(readagent_lookup="[2]")), memory(Model(readagent_lookup="[2]"))
    snapshot = method.snapshot()
    twin.restore(Snapshot(json.loads(json.dumps(snapshot.state)), snapshot.arrays))
    for one in (method, twin):
        one.ingest(session(5, ["epsilon", "zeta"], days=9))
    assert twin.recall(ask()) == method.recall(ask())
    assert twin.snapshot() == method.snapshot()


def test_asking_does_not_change_the_memory() -> None:
    method = four_pages(Model(readagent_lookup="nothing usable"))
    before = method.snapshot()
    method.recall(ask())
    assert method.snapshot() == before


def test_sources_hold_no_turn_of_a_page_twice() -> None:
    recall = four_pages(Model(readagent_lookup="[1]")).recall(ask())
    assert len(set(recall.sources)) == len(recall.sources)
    assert Source("D1:1", derived=True) not in recall.sources


@pytest.mark.parametrize("wrong", [{"lookup": "serial"}, {"min_words": 700}, {"min_words": 0}])
def test_impossible_settings_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        ReadAgentSettings(**wrong)
