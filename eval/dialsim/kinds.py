"""The 17 kinds of DialSim questions (simulator.py of jiho283/Simulator, data versions v1.0 and v1.1)."""

from __future__ import annotations

from enum import StrEnum


class Origin(StrEnum):
    """Where a question comes from."""

    FAN = "fan"
    """Rewritten fan quizzes, `easy_q` in the data."""
    TKG = "tkg"
    """Made from a temporal knowledge graph of the show, `hard_q` in the data."""


class Kind(StrEnum):
    """A kind of question. `past`, `cur` and `fu` name a hop that is dated, present, or revealed only later."""

    ANS_W_TIME = "ans_w_time"
    ANS_WO_TIME = "ans_wo_time"
    BEFORE_EVENT_UNANS = "before_event_unans"
    DONT_KNOW_UNANS = "dont_know_unans"
    DONT_KNOW_UNANS_TIME = "dont_know_unans_time"
    PAST = "past"
    CUR = "cur"
    FU = "fu"
    PAST_PAST = "past_past"
    PAST_CUR = "past_cur"
    PAST_FU = "past_fu"
    CUR_PAST = "cur_past"
    CUR_CUR = "cur_cur"
    CUR_FU = "cur_fu"
    FU_PAST = "fu_past"
    FU_CUR = "fu_cur"
    FU_FU = "fu_fu"

    @property
    def origin(self) -> Origin:
        return Origin.FAN if self in _FAN else Origin.TKG

    @property
    def answerable(self) -> bool:
        """False where the right answer is that one can't know (option five)."""
        return "fu" not in self.value and "unans" not in self.value


_FAN = frozenset(
    (Kind.ANS_W_TIME, Kind.ANS_WO_TIME, Kind.BEFORE_EVENT_UNANS, Kind.DONT_KNOW_UNANS, Kind.DONT_KNOW_UNANS_TIME)
)

ONLY_IN_V1_1 = frozenset((Kind.PAST_FU, Kind.CUR_FU, Kind.FU_PAST, Kind.FU_CUR, Kind.FU_FU))
"""Unanswerable two-hop kinds: a file that has one of them is v1.1, a file that has none is v1.0."""
