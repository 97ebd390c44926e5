"""MemGPT and plain retrieval on the real conv-26: everything fits, nothing is lost, and the figures are as expected."""

from __future__ import annotations

from pathlib import Path
from statistics import mean

import pytest

from amem.agentic import AMem
from amem.contract import MemoryMethod, OwnAnswer
from amem.lm.types import Request, Sampling
from amem.settings import AMemSettings
from baselines._memgpt.settings import MemGPTSettings
from baselines.memgpt import MemGPT
from baselines.rag import Rag, RagSettings
from eval.datasets.locomo import load_locomo
from eval.datasets.types import Conversation
from tests.baselines.memgpt_cases import INSTRUCTION, Script, call, say
from tests.support import tools_for

pytestmark = pytest.mark.slow

FULL_CONTEXT_ROW = 16_910
"""Table 1's LoCoMo row; MemGPT's lies 40 to 77 tokens above it."""


@pytest.fixture(scope="module")
def conversation(locomo_file: Path) -> Conversation:
    return load_locomo(locomo_file).find("conv-26")


def ingested(method: MemoryMethod, conversation: Conversation) -> MemoryMethod:
    for session in conversation.sessions:
        method.ingest(session)
    return method


def searching(request: Request) -> str:
    """Two searches, the second one a page further, then an answer."""
    said = request.messages[-1].content
    asked = said.split("Question: ")[-1].split("\n")[0]
    seen = said.count("Result: page")
    if seen < 2:
        return call("archival_memory_search", heartbeat=True, query=asked, page=str(seen + 1))
    return say("an answer")


def answers(mode: str, conversation: Conversation) -> tuple[MemGPT, Script, list[OwnAnswer]]:
    script = Script(answer=searching, summary="They talked of many things. " * 20)
    method = MemGPT(MemGPTSettings(mode=mode), tools_for(script, window=128_000))
    ingested(method, conversation)
    return method, script, [method.answer(item.question, INSTRUCTION, Sampling()) for item in conversation.items]


def test_paged_memgpt_keeps_every_prompt_within_eight_thousand_tokens(conversation: Conversation) -> None:
    method, script, given = answers("paged", conversation)
    assert len(given) == 199
    assert method.counters["warnings"] == 3
    assert all(method.tools.lm.count_prompt(request) + 512 <= 8192 for request in script.requests)
    turns = {turn.id for turn in conversation.turns()}
    assert all({source.turn_id for source in answer.recall.sources} == turns for answer in given)


def test_full_memgpt_reads_the_conversation_and_little_else(conversation: Conversation) -> None:
    method, script, _ = answers("full", conversation)
    assert {request.purpose for request in script.requests} == {"memgpt_answer"}
    lengths = [method.recall(item.question).tokens for item in conversation.items]
    assert mean(lengths) == pytest.approx(FULL_CONTEXT_ROW, rel=0.05)


def test_plain_retrieval_finds_the_turns_that_bare_a_mem_finds(conversation: Conversation) -> None:
    bare = AMemSettings(attributes=False, link_generation=False, memory_evolution=False)
    tools = tools_for(Script())
    plain, a_mem = (ingested(method, conversation) for method in (Rag(RagSettings(k=10), tools), AMem(bare, tools)))
    for item in conversation.items:
        assert plain.recall(item.question).sources == a_mem.recall(item.question).sources


@pytest.mark.parametrize("documents", ["observations", "summaries"])
def test_the_data_sets_own_documents_can_be_retrieved(documents: str, conversation: Conversation) -> None:
    method = ingested(Rag(RagSettings(documents=documents), tools_for(Script())), conversation)
    recall = method.recall(conversation.items[0].question)
    assert recall.text.count("\n") == 9
    assert all(source.derived for source in recall.sources)
