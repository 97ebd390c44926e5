"""Recalled text that did not fit the window is known by the trace of each method that cuts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from amem.contract import MemoryMethod, Question, Session, Turn
from baselines.locomo import FullContext, FullContextSettings
from baselines.rag import Rag, RagSettings
from baselines.readagent import ReadAgent, ReadAgentSettings
from eval.scoring.fitting import was_cut
from eval.scoring.scores import score_answers
from tests.eval.scoring.made_answers import answer, failed
from tests.support import tools_for

TURNS = tuple(Turn(f"D1:{n}", "Ines", "We talk about clay and glazes and kilns. " * 4) for n in range(1, 21))
SESSION = Session("session_1", 1, datetime(2024, 3, 5), "5 March, 2024", TURNS)
METHODS: dict[str, Callable[[Any], MemoryMethod]] = {
    "locomo": lambda tools: FullContext(FullContextSettings(answer_reserve_tokens=100), tools),
    "rag": lambda tools: Rag(RagSettings(k=20, answer_reserve_tokens=100), tools),
    "readagent": lambda tools: ReadAgent(ReadAgentSettings(answer_reserve_tokens=100), tools),
}


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize(("window", "cut"), [(32_768, False), (600, True)])
def test_a_method_that_cuts_says_so(name: str, window: int, cut: bool) -> None:
    # Gists as long as their pages, so that ReadAgent too has more than a small window holds.
    method = METHODS[name](tools_for(lambda request: "[1] " + "clay " * 400, window=32_768))
    method.ingest(SESSION)
    small = METHODS[name](tools_for(lambda request: "[1]", window=window))
    small.restore(method.snapshot())
    recall = small.recall(Question("q1", "What of clay?", "single_hop"))
    assert was_cut({"trace": recall.trace}) is cut


def test_a_failure_without_recall_and_a_method_that_never_cuts_are_not_cut() -> None:
    assert score_answers([answer(), failed(question_id="2")], metrics=()).frame["recall_cut"].tolist() == [False, False]
