"""Questions and answers as the page shows them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from eval.report.lines import Lines
from eval.report.prompts import Prompts
from eval.scored import Scored

_SOURCE = ("turn", "derived", "to")


def questions(answers: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """By question id, in order of first appearance."""
    fields = ("conversation", "category", "question", "reference", "trap", "evidence")
    found: dict[str, dict[str, Any]] = {}
    for row in answers:
        found.setdefault(row["question_id"], {field: row[field] for field in fields} | {"facts": _facts(row)})
    return found


def _facts(row: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What else is told of a question: of DialSim's, where in the show it was put, and the options."""
    extra = row.get("dialsim")
    if extra is None:
        return []
    asked = f"{extra['asked_on']}, by {extra['asker']}, after {extra['after']}"
    kind = f"{extra['origin']}, {'can be answered' if extra['answerable'] else 'can not be answered'}"
    return [("Asked", asked), ("Kind", kind), ("Options in the data", " | ".join(extra["options"]))]


class AnswerPages:
    """Turns answers into the page's plain data; texts go to `lines`, prompts are looked up by call key."""

    def __init__(self, scored: Scored, recalls: Mapping[str, str], lines: Lines, prompts: Prompts) -> None:
        self._scored = scored
        self._frame = scored.scores.frame
        self._recalls = recalls
        self._lines = lines
        self._prompts = prompts
        self._places: dict[tuple[str, str], int] = {}
        self.shared: list[dict[str, Any]] = []

    def page(self, place: int, row: Mapping[str, Any]) -> dict[str, Any]:
        """`place` is the answer's place among the scored ones."""
        for call in row["calls"]:
            self._prompts.add(call["key"])
        scored = self._frame.loc[place]
        right = self._scored.right.get(place)
        return {
            **{name: row[name] for name in ("backbone", "method", "repeat", "prediction", "prompt_tokens", "options")},
            "question": row["question_id"],
            "failure": row["failure"],
            "scores": {name: _number(scored[name]) for name in self._scored.headings},
            "right": None if right is None else bool(right),
            "found": _number(scored[self._scored.found]),
            "verbatim": _number(scored[self._scored.verbatim]) if self._scored.verbatim else None,
            "recall": row["recall"] and self._recall(row["recall"]),
            "calls": [[call["purpose"], call["key"], *_sizes(call)] for call in row["calls"]],
        }

    def _recall(self, recall: Mapping[str, Any]) -> dict[str, Any]:
        return {"tokens": recall["tokens"], "trace": recall["trace"], "same": self._shared(recall)}

    def _shared(self, recall: Mapping[str, Any]) -> int:
        """The place in `shared` of text and sources: a memory that shows all has the same ones for every question."""
        sources = [[entry[name] for name in _SOURCE if name in entry] for entry in recall["sources"]]
        place = self._places.setdefault((recall["text_hash"], str(sources)), len(self.shared))
        if place == len(self.shared):
            text = self._recalls.get(recall["text_hash"])
            self.shared.append({"sources": sources, "text": None if text is None else self._lines.places(text)})
        return place


def _sizes(call: Mapping[str, Any]) -> list[Any]:
    return [call["prompt_tokens"], call["completion_tokens"], call["seconds"], call["usd"], call["failure"]]


def _number(value: float) -> float | None:
    return None if math.isnan(value) else round(float(value), 4)
