"""Real LoCoMo, conv-26, through a scripted model and the real embedder: sizes, sources, time."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from statistics import mean

import pytest

from amem import tokens
from amem.contract import MemoryMethod, Recall, Tools
from amem.embedding import SentenceTransformerEmbedder
from amem.lm.ledger import collecting
from amem.lm.types import Request
from baselines.locomo import FullContext
from baselines.memorybank import MemoryBank
from baselines.readagent import ReadAgent
from eval.datasets.locomo import load_locomo
from eval.datasets.types import Conversation
from tests.support import tools_for

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def conversation(locomo_file: Path) -> Conversation:
    return load_locomo(locomo_file).conversations[0]


def script(request: Request) -> str:
    """Gists of a sixth of their page (the paper's compression on dialogue), summaries and portraits of usual length."""
    prompt = request.messages[-1].content
    if request.purpose == "readagent_paginate":
        return f"<{prompt.count('<') - 1}>"
    if request.purpose == "readagent_gist":
        page = prompt.split("\n\n")[1].split()
        return " ".join(page[: len(page) // 6])
    if request.purpose == "readagent_lookup":
        pages = re.findall(r"^Page (\d+)", prompt, re.MULTILINE)
        return f"[{pages[len(prompt) % len(pages)]}, {pages[-1]}]"
    if request.schema:
        return json.dumps({who: f"{who} is kind and curious. " * 8 for who in request.schema["properties"]})
    return "They met, and one told the other of a plan. " * 10


def run(method: MemoryMethod, conversation: Conversation) -> list[Recall]:
    started = time.process_time()
    for session in conversation.sessions:
        method.ingest(session)
    with collecting() as calls:
        recalls = [method.recall(item.question) for item in conversation.items]
    assert time.process_time() - started < 120  # of this process: a busy machine fails nobody
    assert all(recall.tokens == tokens.count(recall.text) for recall in recalls)
    assert len({call.purpose for call in calls}) <= 1
    return recalls


def tools(script: Callable[[Request], str]) -> Tools:
    scripted = tools_for(script, window=128_000)
    return Tools(scripted.lm, SentenceTransformerEmbedder(), scripted.prompts)


def test_full_context_is_as_long_as_the_paper_says(conversation: Conversation) -> None:
    recalls = run(FullContext(FullContext.Settings(), tools(script)), conversation)
    length = mean(r.tokens + tokens.count(i.question.text) for r, i in zip(recalls, conversation.items, strict=True))
    assert len(recalls) == 199
    # Table 1 prints 16,910, which LoCoMo's own wording gives on this conversation; ours is some words a turn longer.
    assert length == pytest.approx(16_910, rel=0.05)
    assert len(recalls[0].sources) == 419


def test_readagent_recalls_gists_and_the_pages_asked_for(conversation: Conversation) -> None:
    method = ReadAgent(ReadAgent.Settings(), tools(script))
    recalls = run(method, conversation)
    turns = [turn.id for page in method.pages for turn in page.session.turns]
    assert turns == [turn.id for session in conversation.sessions for turn in session.turns]
    assert 19 < len(method.pages) < 35
    assert all(len(recall.trace["opened"]) in (1, 2) for recall in recalls)
    assert 2_500 < mean(recall.tokens for recall in recalls) < 4_700


def test_memorybank_recalls_some_exchanges_and_the_overall_texts(conversation: Conversation) -> None:
    method = MemoryBank(MemoryBank.Settings(), tools(script))
    recalls = run(method, conversation)
    assert len(method.store.ids) == 19 + sum((len(s.turns) + 1) // 2 for s in conversation.sessions)
    assert all(len(recall.trace["hits"]) == 3 for recall in recalls)
    assert 300 < mean(recall.tokens for recall in recalls) < 1_400
