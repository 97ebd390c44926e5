"""MemGPT with the short prompts of the embedded backbone: the first call looks something up, the next may answer."""

from __future__ import annotations

import json

from amem.lm.types import Request, Sampling
from baselines._memgpt.settings import MemGPTSettings
from baselines.memgpt import MemGPT
from tests.baselines.memgpt_cases import INSTRUCTION, QUESTION, Script, chatter, session
from tests.support import DEFAULT_PACK, tools_for

SMALL_PACK = DEFAULT_PACK.parent / "small"


def reply(request: Request) -> str:
    """The first function on offer, with the first words that come to mind."""
    offered = request.schema["properties"]["function"]["enum"]  # type: ignore[index]
    return json.dumps({"function": offered[0], "arguments": ["the kiln"]})


def test_it_looks_up_and_answers_in_a_window_of_1280_tokens() -> None:
    script = Script(memory=reply, answer=reply)
    method = MemGPT(MemGPTSettings(window=1280), tools_for(script, SMALL_PACK))
    method.ingest(session("The kiln arrived."))
    method.ingest(chatter(40, number=2))
    answer = method.answer(QUESTION, INSTRUCTION, Sampling())
    assert answer.text == "the kiln"
    assert [step["function"] for step in answer.recall.trace["calls"]] == ["archival_memory_search", "send_message"]
    assert "The kiln arrived." in script.requests[-1].messages[-1].content
    assert method.counters["evictions"] >= 1
    assert method.counters["function_failed"] == 0


def test_the_conversation_stands_before_the_question_where_its_evaluation_can_be_kept() -> None:
    script = Script(answer=reply)
    method = MemGPT(MemGPTSettings(window=1280), tools_for(script, SMALL_PACK))
    method.ingest(session("The kiln arrived."))
    for number in ("one", "two"):
        method.answer(QUESTION, number, Sampling())
    first = [request for request in script.requests if not request.messages[-1].content.startswith("[")]
    assert len(first) == 2
    assert first[0].messages[:-1] == first[1].messages[:-1]
    assert "The kiln arrived." in first[0].messages[-2].content
