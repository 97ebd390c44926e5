"""Function calls: what each does, and what wrong arguments lead to."""

from __future__ import annotations

import json

import pytest

from baselines._memgpt.archival_storage import Passage
from baselines._memgpt.calls import Call
from baselines._memgpt.functions import Functions, Outcome
from baselines.memgpt import MemGPT
from tests.baselines.memgpt_cases import Script, call, memgpt, session


@pytest.fixture
def method() -> MemGPT:
    method = memgpt(Script())
    method.ingest(session("The kiln arrived.", "A kiln is hot.", "I like bread."))
    return method


def run(method: MemGPT, function: str, **arguments: str) -> Outcome:
    functions = Functions(method.state, method.tools, page_size=5, result_chars=3000)
    return functions.run(Call.from_reply(json.loads(call(function, **arguments))))


def turns(outcome: Outcome) -> list[str]:
    return [source.turn_id for source in outcome.found]


def test_recall_storage_is_searched_by_text(method: MemGPT) -> None:
    outcome = run(method, "conversation_search", query="KILN")
    assert turns(outcome) == ["D1:1", "D1:2"]
    assert "The kiln arrived." in outcome.text and "5 March, 2024" in outcome.text


def test_recall_storage_is_searched_by_date(method: MemGPT) -> None:
    method.ingest(session("It rains.", number=2))
    outcome = run(method, "conversation_search_date", start_date="2024-03-06", end_date="2024-03-09")
    assert turns(outcome) == ["D2:1"]


def test_a_search_without_hits_says_so(method: MemGPT) -> None:
    outcome = run(method, "conversation_search", query="submarine")
    assert (outcome.failed, outcome.found) == (False, ())
    assert "nothing was found" in outcome.text


def test_hits_on_three_pages_are_all_reached() -> None:
    method = memgpt(Script())
    method.ingest(session(*(f"kiln number {i}" for i in range(13))))
    pages = [run(method, "conversation_search", query="kiln", page=str(page)) for page in (1, 2, 3)]
    assert [turn for page in pages for turn in turns(page)] == [f"D1:{i}" for i in range(1, 14)]
    assert "page 2 of 3, 13 texts" in pages[1].text


def test_a_page_behind_the_last_one_is_empty(method: MemGPT) -> None:
    outcome = run(method, "conversation_search", query="kiln", page="2")
    assert outcome.found == ()
    assert "no page 2" in outcome.text


def test_archival_storage_holds_every_turn_and_what_the_agent_inserts(method: MemGPT) -> None:
    run(method, "archival_memory_insert", content="Ines bakes on Sundays")
    outcome = run(method, "archival_memory_search", query="Ines bakes on Sundays")
    assert outcome.text.index("bakes on Sundays") < outcome.text.index("I like bread")
    assert sorted(turns(outcome)) == ["D1:1", "D1:2", "D1:3"]


def test_what_the_agent_inserts_is_dated_by_the_latest_turn(method: MemGPT) -> None:
    run(method, "archival_memory_insert", content="Ines bakes")
    assert Passage("Ines bakes", "5 March, 2024") in method.state.archival._passages


def test_core_memory_is_edited(method: MemGPT) -> None:
    run(method, "core_memory_append", block="human", content="Ines is a baker")
    run(method, "core_memory_replace", block="human", old_content="baker", new_content="potter")
    assert method.state.core.to_json()["human"].endswith("\nInes is a potter")


def test_a_message_is_passed_on_without_its_margins(method: MemGPT) -> None:
    assert run(method, "send_message", message=" a kiln\n").message == "a kiln"


@pytest.mark.parametrize(
    ("function", "arguments", "words"),
    [
        ("conversation_search", {}, "query is missing"),
        ("conversation_search", {"query": "kiln", "block": "human"}, "no argument block"),
        ("conversation_search", {"query": "kiln", "page": "two"}, "two is no page number"),
        ("conversation_search", {"query": "kiln", "page": "0"}, "0 is no page number"),
        ("conversation_search_date", {"start_date": "May", "end_date": "2024-03-09"}, "May is no date"),
        ("core_memory_append", {"block": "query", "content": "x"}, "no block query"),
        ("core_memory_append", {"block": "human", "content": "x" * 2000}, "/2000)"),
        ("core_memory_replace", {"block": "human", "old_content": "Bruno", "new_content": ""}, "does not stand"),
        ("send_message", {"message": "  "}, "message is missing"),
        ("fly", {"query": "x"}, "no function fly"),
    ],
)
def test_a_call_that_can_not_be_carried_out_fails_and_changes_nothing(
    method: MemGPT, function: str, arguments: dict[str, str], words: str
) -> None:
    before = method.snapshot().state
    outcome = run(method, function, **arguments)
    assert outcome.failed
    assert words in outcome.text
    assert method.snapshot().state == before


def test_an_argument_given_twice_fails(method: MemGPT) -> None:
    twice = Call("conversation_search", (("query", "a"), ("query", "b")), False, "")
    outcome = Functions(method.state, method.tools, page_size=5, result_chars=3000).run(twice)
    assert "query was given twice" in outcome.text


def test_arguments_may_be_given_by_position(method: MemGPT) -> None:
    by_position = Call.from_reply({"function": "conversation_search", "arguments": ["kiln", "1"]})
    assert by_position == Call("conversation_search", (("query", "kiln"), ("page", "1")))


def test_an_argument_too_many_fails(method: MemGPT) -> None:
    too_many = Call.from_reply({"function": "send_message", "arguments": ["a kiln", "a vase"]})
    outcome = Functions(method.state, method.tools, page_size=5, result_chars=3000).run(too_many)
    assert "no argument no. 2" in outcome.text


def test_a_long_result_is_cut_and_the_turns_that_fell_off_are_not_reported() -> None:
    method = memgpt(Script(), window=8000, warn_at=0.75)
    method.ingest(session(*(f"kiln {i} " + "clay " * 300 for i in range(3))))
    functions = Functions(method.state, method.tools, page_size=5, result_chars=2000)
    outcome = functions.run(Call("conversation_search", (("query", "kiln"),), False, ""))
    assert len(outcome.text) == 2000
    assert turns(outcome) == ["D1:1"]
