"""Which question a session gets, from whom, and after which utterance (simulator.py of jiho283/Simulator).

Everything is drawn from one generator a session, so that a draw depends on seed and session alone, not on what was
played before it. Differences from the released simulator, all of them faults there:

- a session whose only questions are fan quizzes, or whose 20 candidates are all dropped, does not stop the show;
- an agent who is silent in a session is not asked there (the trigger of an earlier session is not reused);
- the trigger is one utterance, not every utterance that contains its words;
- a question that dates itself by the session's year alone is dropped however it says so ("on the night of 1994").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import cycle
from random import Random

from eval.dialsim.kinds import Kind, Origin
from eval.dialsim.objects import StoredQuestion, StoredSession
from eval.dialsim.script import Utterance

TKG_SHARE = 0.7
CANDIDATES = 20
UNKNOWN_SHARE = {Origin.TKG: 0.215, Origin.FAN: 0.27}
"""Below this share of unanswerable kinds in the list of kinds, no more answerable ones are added."""
OPTIONS = 5


class Unasked(StrEnum):
    """Why a session gets no question."""

    AGENT_SILENT = "agent_silent"
    NO_ASKER = "no_asker"
    NO_QUESTIONS = "no_questions"
    NO_CANDIDATE = "no_candidate"
    """All that were drawn name the session's own year, or have no wording for the asker."""
    NO_MATCHING_OPTION = "no_matching_option"
    """The answer of the question that was drawn equals none of five options."""


@dataclass(frozen=True, slots=True)
class Draw:
    """A question, who asks it and after which utterance (counted from 0)."""

    question: StoredQuestion
    wording: str
    asker: str
    trigger: int


def draw(session: StoredSession, spoken: Sequence[Utterance], agent: str, rng: Random) -> Draw | Unasked:
    """The session's question, or the reason for which it has none."""
    triggers = trigger_positions(spoken, agent)
    if not triggers:
        return Unasked.AGENT_SILENT
    trigger = rng.choice(triggers)
    askers = askers_around(spoken, trigger, agent)
    if not askers:
        return Unasked.NO_ASKER
    asker = rng.choice(askers)
    kind = draw_kind(session, rng)
    if kind is None:
        return Unasked.NO_QUESTIONS
    question = _candidate(session, kind, asker, rng)
    if question is None:
        return Unasked.NO_CANDIDATE
    if question.correct is None or len(question.options) != OPTIONS:
        return Unasked.NO_MATCHING_OPTION
    return Draw(question, _wording(question, asker) or "", asker, trigger)


def trigger_positions(spoken: Sequence[Utterance], agent: str) -> list[int]:
    """The agent's utterances, without the first where there are several."""
    positions = [i for i, utterance in enumerate(spoken) if f"{agent}:" in utterance.line]
    return positions[1:] or positions


def askers_around(spoken: Sequence[Utterance], trigger: int, agent: str) -> list[str]:
    """Who speaks from three utterances before the trigger to two after it, each once, in order of speaking."""
    nearby = spoken[max(0, trigger - 3) : trigger + 3]
    names = dict.fromkeys(utterance.speaker for utterance in nearby)
    return [name for name in names if name and agent.lower() not in name.lower() and name.lower() != "all"]


def draw_kind(session: StoredSession, rng: Random) -> Kind | None:
    """First the origin, then the kind: kinds are weighted, not questions. None where the session has no question."""
    prefers_tkg = rng.random() < TKG_SHARE
    by_origin = {origin: session.kinds(origin) for origin in Origin}
    origin = Origin.TKG if by_origin[Origin.TKG] and (prefers_tkg or not by_origin[Origin.FAN]) else Origin.FAN
    if not by_origin[origin]:
        return None
    return rng.choice(weighted_kinds(by_origin[origin], UNKNOWN_SHARE[origin], rng))


def weighted_kinds(kinds: Sequence[Kind], unknown_share: float, rng: Random) -> list[Kind]:
    """`kinds`, with answerable ones repeated until fewer than `unknown_share` of the list are unanswerable."""
    weighted = list(kinds)
    answerable = [kind for kind in kinds if kind.answerable]
    unknown = len(weighted) - len(answerable)
    rng.shuffle(answerable)
    for kind in cycle(answerable):
        if unknown / len(weighted) < unknown_share:
            break
        weighted.append(kind)
    return weighted


def _candidate(session: StoredSession, kind: Kind, asker: str, rng: Random) -> StoredQuestion | None:
    drawn = [rng.choice(session.questions[kind]) for _ in range(CANDIDATES)]
    if kind.origin is Origin.TKG:
        drawn = [question for question in drawn if not names_own_year(question, session)]
    return next((question for question in drawn if _wording(question, asker)), None)


def names_own_year(question: StoredQuestion, session: StoredSession) -> bool:
    """Whether the first wording names the session's year without a day ("in 1994", "in September 1994").

    Such a question would be put while what it asks about may still be going on.
    """
    first = next(iter(question.variants.values()), "")
    return any(
        re.search(r"\b[A-Z][a-z]+ \d{1,2}, $", first[: match.start()]) is None
        for match in re.finditer(rf"\b{session.when.year}\b", first)
    )


def _wording(question: StoredQuestion, asker: str) -> str | None:
    return question.variants.get(asker) or question.variants.get("default")
