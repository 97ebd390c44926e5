"""Questions: searches, heartbeats, loops, prose, and that the memory stays as it was."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from amem import tokens
from amem.contract import OwnAnswer, Question, Source
from amem.lm.types import FailureKind, ModelFailure, Request, Sampling
from baselines.memgpt import MemGPT
from eval.runner.memory_files import memory_hash
from tests.baselines.memgpt_cases import INSTRUCTION, QUESTION, Script, call, chatter, memgpt, say, session
from tests.support import tools_for

SEARCH = call("conversation_search", heartbeat=True, query="kiln")


def filled(script: Callable[[Request], Any], **settings: Any) -> MemGPT:
    """A memory whose first turn, on a kiln, is long out of view."""
    method = memgpt(script, **settings)
    method.ingest(session("The kiln arrived."))
    method.ingest(chatter(60, number=2))
    return method


def ask(method: MemGPT, question: Question = QUESTION) -> OwnAnswer:
    return method.answer(question, INSTRUCTION, Sampling())


def prompts(script: Script) -> list[str]:
    return [r.messages[1].content for r in script.requests if r.purpose == "memgpt_answer"]


def test_the_message_is_the_answer() -> None:
    assert ask(filled(Script(answer=say(" a kiln ")))).text == "a kiln"


def test_the_length_of_the_last_prompt_is_told() -> None:
    script = Script(answer=[SEARCH, say("a kiln")])
    answer = ask(filled(script))
    assert answer.prompt_tokens == sum(tokens.count(message.content) for message in script.requests[-1].messages)


def test_a_reply_that_had_to_be_mended_is_counted() -> None:
    answer = ask(filled(Script(answer=f"Here it is: {say('a kiln')}")))
    assert answer.text == "a kiln"
    assert answer.recall.trace["counters"] == {"mended:memgpt_answer:surrounding_text": 1}


def test_the_agent_reads_the_question_and_how_to_answer_it() -> None:
    script = Script()
    ask(filled(script))
    assert f"Question: {QUESTION.text}\n{INSTRUCTION}" in prompts(script)[0]


def test_every_call_of_a_question_has_the_temperature_and_top_p_of_the_reader() -> None:
    script = Script(answer=[SEARCH, say("a kiln")])
    filled(script).answer(QUESTION, INSTRUCTION, Sampling(temperature=0.5, top_p=0.1, max_tokens=7))
    sampled = [request.sampling for request in script.requests if request.purpose == "memgpt_answer"]
    assert [(sampling.temperature, sampling.top_p, sampling.max_tokens) for sampling in sampled] == [
        (0.5, 0.1, 512)
    ] * 2


def test_a_search_brings_back_what_went_out_of_view() -> None:
    script = Script(answer=[SEARCH, say("a kiln")])
    answer = ask(filled(script))
    assert "The kiln arrived." not in prompts(script)[0]
    assert "The kiln arrived." in prompts(script)[1]
    assert "The kiln arrived." in answer.recall.text
    assert answer.recall.sources[0] == Source("D1:1")


def test_recall_tells_what_is_verbatim_from_what_is_summarised() -> None:
    method = filled(Script())
    recall = method.recall(QUESTION)
    verbatim = [source.turn_id for source in recall.sources if not source.derived]
    derived = [source.turn_id for source in recall.sources if source.derived]
    assert verbatim == [e.turn_id for e in reversed(method.state.queue.entries) if e.turn_id]
    assert sorted([*verbatim, *derived]) == sorted(["D1:1", *(f"D2:{i}" for i in range(1, 61))])


def test_a_search_without_a_heartbeat_gets_one_while_the_question_is_open() -> None:
    answer = ask(filled(Script(answer=[call("conversation_search", query="kiln"), say("a kiln")])))
    assert answer.text == "a kiln"
    assert answer.recall.trace["counters"] == {"heartbeat_granted": 1}


def test_after_a_message_with_a_heartbeat_the_last_message_is_the_answer() -> None:
    assert ask(filled(Script(answer=[say("one moment", heartbeat=True), say("a kiln")]))).text == "a kiln"


def test_a_failed_function_brings_another_call() -> None:
    script = Script(answer=[call("conversation_search"), say("a kiln")])
    answer = ask(filled(script))
    assert "the argument query is missing" in prompts(script)[1]
    assert answer.recall.trace["counters"] == {"function_failed": 1}


def searches() -> Callable[[Request], str]:
    """A search for something new at every call, whatever is offered."""
    numbers = iter(range(10_000))
    return lambda request: call("conversation_search", heartbeat=True, query=f"line {next(numbers)} ")


def obedient(request: Request) -> str:
    if request.schema["properties"]["function"]["enum"] == ["send_message"]:  # type: ignore[index]
        return say("a guess")
    return call("conversation_search", heartbeat=True, query=f"line {len(request.messages[1].content)}")


def test_the_tenth_call_offers_send_message_alone() -> None:
    script = Script(answer=obedient)
    answer = ask(filled(script))
    assert (answer.text, script.count("answer")) == ("a guess", 10)
    assert "this is your last call" in prompts(script)[-1]
    assert answer.recall.trace["counters"]["answer_forced"] == 1


def test_ten_heartbeats_without_a_message_are_a_failure() -> None:
    script = Script(answer=searches())
    with pytest.raises(ModelFailure, match="10 calls without send_message") as failure:
        ask(filled(script, force_answer=False))
    assert failure.value.kind is FailureKind.EMPTY
    assert script.count("answer") == 10
    assert len(failure.value.details["calls"]) == 10
    assert failure.value.details["counters"]["chain_cut"] == 1


def test_the_same_call_three_times_leads_to_the_last_one() -> None:
    script = Script(answer=[SEARCH, SEARCH, SEARCH, say("a kiln")])
    answer = ask(filled(script))
    assert (answer.text, script.count("answer")) == ("a kiln", 4)
    assert answer.recall.trace["counters"] == {"repeated_call": 2, "chain_stuck": 1, "answer_forced": 1}
    assert "was not made again" in prompts(script)[2]


def test_the_same_call_three_times_fails_where_no_answer_is_forced() -> None:
    script = Script(answer=SEARCH)
    with pytest.raises(ModelFailure, match="3 calls without send_message"):
        ask(filled(script, force_answer=False))


def test_prose_is_no_answer_but_the_agent_is_told() -> None:
    script = Script(answer=["It was a kiln.", say("a kiln")])
    answer = ask(filled(script))
    assert answer.text == "a kiln"
    assert 'you wrote "It was a kiln.", which nobody can read' in prompts(script)[1]
    assert answer.recall.trace["counters"] == {"failed:memgpt_answer:schema": 1, "prose_reply": 1}


def test_prose_is_the_answer_where_the_setting_says_so() -> None:
    script = Script(answer=" It was a kiln.\n")
    answer = ask(filled(script, prose_answers=True))
    assert (answer.text, script.count("answer")) == ("It was a kiln.", 1)
    assert answer.recall.trace["counters"]["prose_answer"] == 1


def test_broken_json_is_never_taken_for_prose() -> None:
    script = Script(answer=['{"function": "send_mess', say("a kiln")])
    answer = ask(filled(script, prose_answers=True))
    assert answer.text == "a kiln"
    assert "prose_reply" not in answer.recall.trace["counters"]


@pytest.mark.parametrize("kind", [FailureKind.EMPTY, FailureKind.REFUSAL, FailureKind.SCHEMA])
def test_unusable_replies_end_in_a_failure_of_kind_empty(kind: FailureKind) -> None:
    script = Script(answer=lambda request: ModelFailure(kind, "no"))
    with pytest.raises(ModelFailure) as failure:
        ask(filled(script))
    assert failure.value.kind is FailureKind.EMPTY
    assert script.count("answer") == 4
    assert failure.value.details["counters"][f"failed:memgpt_answer:{kind.value}"] == 4


@pytest.mark.parametrize("kind", [FailureKind.BUDGET, FailureKind.NOT_RECORDED, FailureKind.TRUNCATED_PROMPT])
def test_other_failures_rise(kind: FailureKind) -> None:
    with pytest.raises(ModelFailure) as failure:
        ask(filled(Script(answer=lambda request: ModelFailure(kind, "no"))))
    assert failure.value.kind is kind


def test_search_results_that_overflow_the_queue_evict_but_never_the_question() -> None:
    pages = [call("conversation_search", heartbeat=True, query="on line", page=str(page)) for page in range(1, 10)]
    script = Script(answer=[*pages, say("a kiln")])
    method = filled(script)
    script.requests.clear()
    ask(method)
    assert script.count("summary") >= 1
    assert all(QUESTION.text in prompt for prompt in prompts(script))
    assert all(method.tools.lm.count_prompt(r) + 256 <= method.settings.window for r in script.requests)


def test_a_question_that_does_not_fit_overflows() -> None:
    method = filled(Script())
    with pytest.raises(ModelFailure) as failure:
        ask(method, replace(QUESTION, text="clay " * 3000))
    assert failure.value.kind is FailureKind.CONTEXT_OVERFLOW


def busy(request: Request) -> str:
    """Edits everything there is before it answers with the question's own words."""
    said = request.messages[1].content
    if request.purpose != "memgpt_answer":
        return "They talk." if request.purpose == "memgpt_summary" else say("done")
    asked = said.split("Question: ")[1].split("\n")[0]
    if "core_memory_append is done" not in said:
        return call("core_memory_append", heartbeat=True, block="human", content=asked)
    if "archival_memory_insert is done" not in said:
        return call("archival_memory_insert", heartbeat=True, content=asked)
    if "Result: page" not in said:
        return call("archival_memory_search", heartbeat=True, query=asked)
    return say(asked)


def test_answers_leave_the_memory_as_it_was_whatever_their_order_and_threads() -> None:
    method = filled(busy)
    before = memory_hash(method.snapshot())
    questions = [Question(f"q{i}", f"What of line {i}?", "single_hop") for i in range(12)]
    alone = [ask(method, question) for question in questions]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda question: ask(method, question), reversed(questions)))
    assert together[::-1] == alone
    assert memory_hash(method.snapshot()) == before


def test_a_restored_memory_answers_and_ingests_the_same() -> None:
    method = filled(busy)
    snapshot = method.snapshot()
    again = MemGPT(method.settings, tools_for(busy))
    again.restore(replace(snapshot, state=json.loads(json.dumps(snapshot.state))))
    assert memory_hash(again.snapshot()) == memory_hash(snapshot)
    assert ask(again) == ask(method)
    method.ingest(chatter(40, number=3))
    again.ingest(chatter(40, number=3))
    assert memory_hash(again.snapshot()) == memory_hash(method.snapshot())
    assert again.counters == method.counters


def test_full_mode_shows_every_turn() -> None:
    method = filled(Script(), mode="full")
    answer = ask(method)
    assert [source.turn_id for source in answer.recall.sources][-1] == "D1:1"
    assert not any(source.derived for source in answer.recall.sources)


def test_full_mode_fails_where_the_backbone_can_not_hold_the_conversation() -> None:
    method = MemGPT(replace(memgpt(Script()).settings, mode="full"), tools_for(Script(), window=3000))
    method.ingest(chatter(120))
    with pytest.raises(ModelFailure, match="mode=paged evicts") as failure:
        ask(method)
    assert failure.value.kind is FailureKind.CONTEXT_OVERFLOW
    assert len(method.recall(QUESTION).sources) == 120
