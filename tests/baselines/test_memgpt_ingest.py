"""Taking a conversation in: pressure, warnings, evictions, summaries, and that nothing gets lost."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amem.errors import ConfigurationError
from amem.lm.types import FailureKind, ModelFailure
from baselines._memgpt.entries import Kind
from baselines._memgpt.window import Window
from baselines.memgpt import MemGPT
from tests.baselines.memgpt_cases import QUESTION, SETTINGS, WINDOW, Script, call, chatter, memgpt, say, session


def texts(method: MemGPT) -> list[str]:
    return [entry.text for entry in method.state.queue.entries]


def prompt_fits(method: MemGPT) -> bool:
    window = Window(method.settings, method.tools)
    return window.excess(window.request(method.state, "memgpt_memory")) <= 0


def test_a_queue_that_does_not_press_calls_no_model() -> None:
    script = Script()
    method = memgpt(script)
    method.ingest(session("The kiln arrived.", "Good."))
    assert script.requests == []
    assert texts(method) == ['Ines says: "The kiln arrived."', 'Ines says: "Good."']


def test_core_memory_starts_with_a_persona_and_the_speakers() -> None:
    method = memgpt(Script())
    method.ingest(session("Hello."))
    persona, human = method.state.core.blocks
    assert persona.text and "Ines" in human.text


def test_the_warning_comes_once_per_period() -> None:
    script = Script()
    method = memgpt(script)
    method.ingest(chatter(120))
    purposes = [request.purpose for request in script.requests]
    assert len(purposes) >= 4
    assert purposes == (["memgpt_memory", "memgpt_summary"] * len(purposes))[: len(purposes)]
    assert method.counters["warnings"] == script.count("memory")


def test_the_warning_comes_when_the_prompt_passes_its_share_of_the_window() -> None:
    script = Script()
    method = memgpt(script)
    method.ingest(chatter(30))
    warned = method.tools.lm.count_prompt(script.requests[0])
    assert SETTINGS.warn_at * WINDOW < warned < SETTINGS.warn_at * WINDOW + 150


def test_the_agent_saves_what_it_likes_when_warned() -> None:
    script = Script(
        memory=[
            call("core_memory_append", heartbeat=True, block="human", content="Ines likes clay"),
            call("archival_memory_insert", content="Ines uses glazes"),
        ]
    )
    method = memgpt(script)
    method.ingest(chatter(30))
    assert "Ines likes clay" in script.requests[1].messages[0].content
    assert method.state.core.blocks[1].text.endswith("Ines likes clay")
    assert "Ines uses glazes" in [passage["text"] for passage in method.state.archival.to_json()]
    assert script.count("memory") == 2


def test_archival_storage_knows_no_turn_before_it_was_said() -> None:
    script = Script(memory=[call("archival_memory_search", heartbeat=True, query="line 79"), say("done")])
    method = memgpt(script, warn_at=0.5)
    method.ingest(chatter(80))
    assert "On line 79" not in script.requests[1].messages[1].content


def test_an_overflow_evicts_into_a_summary() -> None:
    script = Script(summary="Ines talks about clay.")
    method = memgpt(script)
    method.ingest(chatter(80))
    assert script.count("summary") >= 1
    summary = method.state.queue.summary
    assert summary.text == "Ines talks about clay."
    assert summary.hidden == len(method.state.recall) - len(method.state.queue.entries)
    assert "older messages are out of view. In short: Ines talks about clay." in method.recall(QUESTION).text


def test_a_summary_is_made_of_the_old_one_and_what_was_evicted() -> None:
    script = Script(summary=["The first summary.", "The second summary."])
    method = memgpt(script)
    method.ingest(chatter(120))
    second = [r for r in script.requests if r.purpose == "memgpt_summary"][1].messages[1].content
    assert "The first summary." in second
    assert "On line 0 " not in second


def test_a_summary_longer_than_its_limit_is_cut_there() -> None:
    method = memgpt(Script(summary="word " * 150), summary_words=100)
    method.ingest(chatter(80))
    assert method.state.queue.summary.text == " ".join(["word"] * 100)
    assert method.counters["summary_cut"] == method.counters["evictions"] > 0


def test_without_a_usable_summary_the_old_one_stays_and_it_is_counted() -> None:
    method = memgpt(Script(summary=["The first summary.", "  "]))
    method.ingest(chatter(120))
    assert method.state.queue.summary.text == "The first summary."
    assert method.counters["failed:memgpt_summary:empty"] == method.counters["evictions"] - 1
    assert method.state.queue.summary.hidden + len(method.state.queue.entries) == len(method.state.recall)


def test_turns_without_a_summary_are_in_no_summary() -> None:
    method = memgpt(Script(summary=" "))
    method.ingest(chatter(80))
    assert method.state.queue.summary.turn_ids == ()


def test_a_message_longer_than_the_window_is_stored_whole_and_summarised_without_its_end() -> None:
    script = Script()
    method = memgpt(script)
    method.ingest(session("Short.", "clay " * 5000, "And short again."))
    assert "clay " * 5000 in method.state.recall[1].text
    assert method.counters["summary_input_cut"] == 1
    assert method.counters["evictions"] >= 1
    assert "clay clay" in [r for r in script.requests if r.purpose == "memgpt_summary"][-1].messages[1].content
    assert texts(method)[-1] == 'Ines says: "And short again."'
    assert prompt_fits(method)


def test_what_does_not_fit_into_one_summary_prompt_takes_several() -> None:
    script = Script()
    method = memgpt(script, keep_last=0, evict_fraction=0.99)
    method.ingest(session("clay " * 700, "glaze " * 1400))
    first, second = (request.messages[1].content for request in script.requests)
    assert method.counters["evictions"] == 1
    assert ("clay" in first, "glaze" in first) == (True, False)
    assert second.startswith("What came before, in short: They talk about clay.")
    assert method.state.queue.summary.turn_ids == ("D1:1", "D1:2")


@pytest.mark.parametrize("kind", [FailureKind.EMPTY, FailureKind.REFUSAL, FailureKind.SCHEMA])
def test_a_memory_step_without_usable_replies_is_given_up_and_counted(kind: FailureKind) -> None:
    script = Script(memory=lambda request: ModelFailure(kind, "no"))
    method = memgpt(script)
    method.ingest(chatter(30))
    assert script.count("memory") == 3
    assert method.counters[f"failed:memgpt_memory:{kind.value}"] == 3
    assert method.counters["chain_stuck"] == 1


@pytest.mark.parametrize("kind", [FailureKind.BUDGET, FailureKind.NOT_RECORDED, FailureKind.BAD_REQUEST])
@pytest.mark.parametrize("purpose", ["memory", "summary"])
def test_failures_that_are_not_the_models_stop_the_work(kind: FailureKind, purpose: str) -> None:
    method = memgpt(Script(**{purpose: lambda request: ModelFailure(kind, "no")}))
    with pytest.raises(ModelFailure) as error:
        method.ingest(chatter(80))
    assert error.value.kind is kind


def test_a_memory_step_that_calls_the_same_again_and_again_ends() -> None:
    script = Script(memory=call("archival_memory_search", heartbeat=True, query="clay"))
    method = memgpt(script)
    method.ingest(chatter(30))
    assert script.count("memory") == 3
    assert (method.counters["repeated_call"], method.counters["chain_stuck"]) == (2, 1)


def test_a_memory_step_ends_after_ten_calls() -> None:
    numbers = iter(range(1000))
    script = Script(memory=lambda r: call("archival_memory_search", heartbeat=True, query=str(next(numbers))))
    method = memgpt(script, window=8000)
    method.ingest(chatter(150))
    assert script.count("memory") == 10
    assert method.counters["chain_cut"] == 1


def test_a_window_without_room_is_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"window of 1200 tokens.*settings\.window"):
        memgpt(Script(), window=1200).ingest(session("Hello."))


def test_a_warning_that_could_not_come_is_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"warning at 2160.*settings\.warn_at"):
        memgpt(Script(), warn_at=0.9).ingest(session("Hello."))


def test_full_mode_evicts_nothing_and_calls_no_model() -> None:
    script = Script()
    method = memgpt(script, mode="full")
    method.ingest(chatter(300))
    assert script.requests == []
    assert len(method.state.queue.entries) == 300


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, 900), min_size=1, max_size=40), st.integers(0, 4))
def test_no_prompt_exceeds_the_window_and_no_message_is_lost(lengths: list[int], keep_last: int) -> None:
    script = Script()
    method = memgpt(script, keep_last=keep_last)
    method.ingest(session(*("clay " * length for length in lengths)))
    method.ingest(session("The end.", number=2))
    assert prompt_fits(method)
    assert all(method.tools.lm.count_prompt(r) + (r.sampling.max_tokens or 0) <= WINDOW for r in script.requests)
    said = [entry.text for entry in method.state.recall.entries if entry.kind is Kind.TURN]
    assert said == [f'Ines says: "{"clay " * length}"' for length in lengths] + ['Ines says: "The end."']
    assert method.state.queue.summary.hidden + len(method.state.queue.entries) == len(method.state.recall)
