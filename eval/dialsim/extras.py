"""What an answer's line holds beside what every dataset's lines hold: enough to score it without the data."""

from __future__ import annotations

from typing import Any

from eval.dialsim.formats import AnswerFormat, ReplyStyle, gold
from eval.dialsim.plan import Ask, Plan


def extras(ask: Ask, plan: Plan, answer_format: AnswerFormat, style: ReplyStyle = ReplyStyle.SHORT) -> dict[str, Any]:
    """Plain JSON, to stand under the key `dialsim` of the answer's line."""
    days = ask.evidence_days
    return {
        "show": plan.show,
        "version": plan.version,
        "names": plan.names.value,
        "format": answer_format.value,
        "style": style.value if answer_format is AnswerFormat.OPEN_ENDED else ReplyStyle.ROLE.value,
        "origin": ask.kind.origin.value,
        "answerable": ask.answerable,
        "asker": ask.question.asker,
        "asked_on": ask.date_text,
        "after": ask.trigger,
        "options": list(ask.options),
        "gold": gold(ask, answer_format),
        "option": ask.options[ask.correct],
        "evidence_days": None if days is None else {day.date_text: _sessions(day.turn_ids) for day in days},
    }


def _sessions(turn_ids: tuple[str, ...]) -> list[str]:
    return list(dict.fromkeys(turn.rpartition(":")[0] for turn in turn_ids))
