"""What a question is searched with: its own words (equation 8), or keywords that the model makes of it (released)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from amem.contract import Question, Tools
from amem.lm.tolerance import usable
from amem.lm.types import Completion, FailureKind, ModelFailure
from amem.settings import AMemSettings


@dataclass(frozen=True, slots=True)
class Query:
    text: str
    failure: str | None = None
    """Why the model's keywords could not be used, where they could not."""


def query_for(question: Question, settings: AMemSettings, tools: Tools) -> Query:
    """Raises ModelFailure for a failure of the day (server, budget, missing record)."""
    if settings.query == "question":
        return Query(question.text)
    result = tools.lm.complete_many([tools.prompts.request("query_keywords", question=question.text)])[0]
    if usable(result, Counter()) is None:
        return _without_keywords(question, result)  # type: ignore[arg-type]
    assert isinstance(result, Completion)
    return Query(result.text if result.parsed is None else result.parsed["keywords"])


def _without_keywords(question: Question, failure: ModelFailure) -> Query:
    """The released code searches with a reply that it can't read, as it is (test_advanced.py, 7f716dc)."""
    unread = (failure.raw or "").strip() if failure.kind is FailureKind.SCHEMA else ""
    return Query(unread or question.text, failure.kind.value)
