"""DialSim's own measures, from the lines of `answers.jsonl` alone: accuracy, time limits, days of evidence found."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from eval.dialsim.formats import AnswerFormat
from eval.runner.sources import sources_of

Row = Mapping[str, Any]
TIME_LIMITS = (1.0, 3.0, 5.0, 6.0)
"""Seconds a question that DialSim's site, simulator and README name."""

_OPTION = re.compile(r"\(([A-Ea-e])\)")


class Verdict(StrEnum):
    CORRECT = "correct"
    WRONG = "wrong"
    AMBIGUOUS = "ambiguous"
    """The right letter beside others, or a judge that could not tell; counts as wrong."""


Judge = Callable[[str, str, str], Verdict]
"""(question, reference, prediction) → verdict; asked where an answer in words is not literally the reference. Its
`name`, where it has one, stands below the table."""


def verdict(row: Row, judge: Judge | None = None) -> Verdict:
    """DialSim's rule (post_processing/process_answer.py of jiho283/Simulator, `judge_eq`) for one answered row.

    Letters: the right one in capitals, and no other in either case. Words: equal to the reference, with or without a
    full stop; else the judge's word, and wrong where there is no judge (so that accuracy is a lower bound).
    """
    reply, gold = row["prediction"], row["dialsim"]["gold"]
    if row["dialsim"]["format"] == AnswerFormat.MULTI_CHOICE_STRUCTURED:
        if gold not in reply:
            return Verdict.WRONG
        others = {letter.upper() for letter in _OPTION.findall(reply)} - {gold[1]}
        return Verdict.AMBIGUOUS if others else Verdict.CORRECT
    if reply in (gold, f"{gold}."):
        return Verdict.CORRECT
    return judge(row["question"], gold, reply) if judge else Verdict.WRONG


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """What DialSim's limit of so many seconds a question would have done to a cell."""

    seconds: float
    over: int
    correct_in_time: int
    answered: int


def time_limits(
    rows: Iterable[Row], limits: Sequence[float] = TIME_LIMITS, judge: Judge | None = None
) -> list[TimeLimit]:
    """For each limit, how many answers took longer (they count as wrong), and how many right ones did not.

    The time of an answer is that of its calls to the model as first measured and recorded, retrieval and answer
    together; what the method computes besides is not in it, and neither is taking in the utterance before.
    """
    timed = [
        (sum(call["seconds"] for call in row["calls"]), verdict(row, judge) is Verdict.CORRECT)
        for row in rows
        if row["prediction"] is not None
    ]
    return [
        TimeLimit(
            seconds=limit,
            over=sum(seconds >= limit for seconds, _ in timed),
            correct_in_time=sum(right and seconds < limit for seconds, right in timed),
            answered=len(timed),
        )
        for limit in limits
    ]


def day_recall(row: Row) -> float | None:
    """The share of evidence days of which at least one turn was recalled; None where there is no evidence or recall.

    DialSim's oracle knows days, of some fifty turns each: recall of turns would ask a method to return whole days.
    """
    days, recall = row["dialsim"]["evidence_days"], row["recall"]
    if not days or recall is None:
        return None
    sessions = {source.turn_id.rpartition(":")[0] for source in sources_of(recall)}
    return sum(bool(sessions & set(of_day)) for of_day in days.values()) / len(days)
