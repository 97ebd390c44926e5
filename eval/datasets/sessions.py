"""The sessions of one LoCoMo sample: turns with their captions, and the observations and summaries that LoCoMo adds.

Format of snap-research/locomo@3eb6f2c data/locomo10.json. Only `session_N` lists are sessions: conv-26 has 35 dates and
19 sessions.
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import replace
from datetime import datetime

from amem.contract import Observation, Session, Turn
from eval.datasets.fields import Field, refuse_doubles, shown

DATE_FORMAT = "%I:%M %p on %d %B, %Y"
_SESSION_KEY = re.compile(r"session_([1-9]\d{0,4})")


def read_speakers(talk: Field) -> tuple[str, str]:
    """The two people's names, which must differ."""
    first, second = talk.get("speaker_a").text(), talk.get("speaker_b").text()
    if first == second:
        talk.get("speaker_b").fail(f"both speakers are called {shown(first)}")
    return first, second


def read_sessions(sample: Field, speakers: tuple[str, str]) -> tuple[Session, ...]:
    """All sessions in the order of their numbers; every turn id is unique among them."""
    talk = sample.get("conversation")
    turns = {number: _turns(talk.get(f"session_{number}"), speakers) for number in _session_numbers(talk)}
    ids = [turn.id for session in turns.values() for turn in session]
    refuse_doubles(talk, ids, "dia_id")
    bare = [_session(sample, number, turns[number]) for number in turns]
    return tuple(
        replace(session, observations=_observations(sample, session.number, speakers, set(ids))) for session in bare
    )


def _session_numbers(talk: Field) -> list[int]:
    numbers = sorted(int(match[1]) for key in talk.of(dict) if (match := _SESSION_KEY.fullmatch(key)))
    if not numbers:
        talk.fail("there is no session_N list")
    return numbers


def _turns(session: Field, speakers: tuple[str, str]) -> tuple[Turn, ...]:
    turns = tuple(_turn(turn, speakers) for turn in session.each())
    if not turns:
        session.fail("the session has no turns", "Remove the key, or add its turns")
    return turns


def _turn(turn: Field, speakers: tuple[str, str]) -> Turn:
    return Turn(
        id=turn.get("dia_id").text(),
        speaker=_known_speaker(turn.get("speaker"), speakers),
        text=turn.get("text").text(),
        caption=turn.get("blip_caption").text() if turn.has("blip_caption") else None,
        has_image_url=turn.has("img_url") and _has_address(turn.get("img_url")),
    )


def _known_speaker(field: Field, speakers: tuple[str, str]) -> str:
    speaker = field.text()
    if speaker not in speakers:
        field.fail(
            f"unknown speaker {shown(speaker)}", f"Use {speakers[0]!r} or {speakers[1]!r} (speaker_a, speaker_b)"
        )
    return speaker


def _has_address(field: Field) -> bool:
    return bool([address.text() for address in field.each()])


def _session(sample: Field, number: int, turns: tuple[Turn, ...]) -> Session:
    date = sample.get("conversation").get(f"session_{number}_date_time")
    return Session(
        id=f"session_{number}",
        number=number,
        when=_when(date),
        date_text=date.text(),
        turns=turns,
        summary=_summary(sample, number),
    )


def _when(date: Field) -> datetime:
    try:
        return datetime.strptime(date.text(), DATE_FORMAT)
    except ValueError:
        date.fail(f"{shown(date.value)} is no date", 'Write it as "1:56 pm on 8 May, 2023"')


def _summary(sample: Field, number: int) -> str | None:
    key = f"session_{number}_summary"
    if not sample.has("session_summary") or not sample.get("session_summary").has(key):
        return None
    return sample.get("session_summary").get(key).text()


def _observations(sample: Field, number: int, speakers: tuple[str, str], turn_ids: Set[str]) -> tuple[Observation, ...]:
    key = f"session_{number}_observation"
    if not sample.has("observation") or not sample.get("observation").has(key):
        return ()
    block = sample.get("observation").get(key)
    names = [name for name in block.of(dict) if _known_speaker(replace(block, value=name), speakers)]
    return tuple(_observation(fact, name, turn_ids) for name in names for fact in block.get(name).each())


def _observation(fact: Field, speaker: str, turn_ids: Set[str]) -> Observation:
    parts = list(fact.each())
    if len(parts) != 2:
        fact.fail("an observation is a pair of text and dia_id")
    text, turns = parts
    return Observation(speaker, text.text(), _observed_turns(turns, turn_ids))


def _observed_turns(turns: Field, turn_ids: Set[str]) -> tuple[str, ...]:
    """The published file writes "D1:3", "D4:17, D4:19" or a list of ids."""
    ids = [t.text() for t in turns.each()] if isinstance(turns.value, list) else turns.text().split(", ")
    if unknown := [i for i in ids if i not in turn_ids]:
        turns.fail(f"{shown(unknown[0])} names no turn of this conversation")
    return tuple(ids)
