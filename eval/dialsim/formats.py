"""DialSim's three answer formats: what the reader is shown, and what its reply stands for."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Any

from eval.dialsim.plan import Ask, Plan
from eval.runner.reader import Task

LETTERS = "ABCDE"
_LETTER = re.compile(r"\(([A-E])\)", re.IGNORECASE)


class AnswerFormat(StrEnum):
    OPEN_ENDED = "open_ended"
    """The question alone."""
    MULTI_CHOICE_STRUCTURED = "multi_choice_structured"
    """Five options with letters, of which one is to be given."""
    MULTI_CHOICE_UNSTRUCTURED = "multi_choice_unstructured"
    """Four options named in the question, and not knowing."""


class ReplyStyle(StrEnum):
    """How an open-ended answer is asked for."""

    SHORT = "short"
    """As LoCoMo's questions are: the shortest phrase, no word about not knowing (A-Mem's own reader)."""
    ROLE = "role"
    """As DialSim asks: in the agent's role, declining where the recalled text supports no answer."""


def task_of(ask: Ask, plan: Plan, answer_format: AnswerFormat, style: ReplyStyle = ReplyStyle.SHORT) -> Task:
    """How the reader puts `ask`; `style` is for open-ended answers, the formats with options have DialSim's own."""
    name = f"dialsim_{answer_format}"
    if answer_format is AnswerFormat.OPEN_ENDED and style is ReplyStyle.SHORT:
        name = "dialsim_short"
    variables: dict[str, Any] = {"agent": plan.agent, "date": ask.date_text}
    if answer_format is not AnswerFormat.OPEN_ENDED:
        variables["options"] = list(ask.options)
    return Task(f"answer_{name}", f"instruction_{name}", variables)


def gold(ask: Ask, answer_format: AnswerFormat) -> str:
    """What DialSim compares the reply with: "(C)", or the words."""
    if answer_format is AnswerFormat.MULTI_CHOICE_STRUCTURED:
        return f"({LETTERS[ask.correct]})"
    return ask.reference


def words_of(reply: str, options: list[str]) -> str:
    """The reply in words, for the text metrics: a single letter stands for its option."""
    bare = reply.strip(" .)").upper()
    letters = {bare} if bare in tuple(LETTERS) else {letter.upper() for letter in _LETTER.findall(reply)}
    position = LETTERS.index(letters.pop()) if len(letters) == 1 else len(options)
    return options[position] if position < len(options) else reply
