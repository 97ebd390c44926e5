"""Answer lines as the runner writes them, for the tests of scores and tables."""

from __future__ import annotations

from typing import Any

from eval.dialsim.extras import extras
from eval.dialsim.formats import AnswerFormat, ReplyStyle
from eval.dialsim.plan import Ask, Plan
from eval.dialsim.replay import replay
from tests.eval.dialsim import shows


def plan() -> Plan:
    return replay(shows.example_show(), seed=1)


def ask(answerable: bool = True) -> Ask:
    return next(one for one in plan().asks() if one.answerable is answerable)


def row(
    one: Ask,
    prediction: str | None,
    *,
    answer_format: AnswerFormat = AnswerFormat.OPEN_ENDED,
    method: str = "amem",
    sources: tuple[str, ...] = (),
    seconds: tuple[float, ...] = (1.0,),
) -> dict[str, Any]:
    return {
        "backbone": "tiny",
        "seed": 0,
        "repeat": 0,
        "prompt_tokens": 100,
        "method": method,
        "conversation": "harbour",
        "question_id": one.question.id,
        "category": str(one.category),
        "question": one.question.text,
        "reference": one.reference,
        "prediction": prediction,
        "failure": None if prediction is not None else {"kind": "empty", "message": "", "raw": None},
        "evidence": list(one.evidence),
        "recall": {"sources": [{"turn": turn, "derived": False} for turn in sources], "trace": {}},
        "calls": [{"seconds": one_call} for one_call in seconds],
        "dialsim": extras(one, plan(), answer_format, ReplyStyle.SHORT),
    }
