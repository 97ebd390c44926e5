"""LoCoMo's file as typed objects (Maharana et al., "Evaluating Very Long-Term Conversational Memory of LLM Agents",
ACL 2024; format of snap-research/locomo@3eb6f2c data/locomo10.json).

What the format does not say and the file shows: only `session_N` lists are sessions (conv-26 has 35 dates and 19
sessions); six answers are whole numbers; 444 of 446 adversarial questions have no `answer`; a caption may come without
an image address; evidence has faults (`eval/datasets/evidence.py`).
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from amem.contract import Observation, Question, Session, Turn
from eval.datasets.categories import Category
from eval.datasets.evidence import resolve_evidence
from eval.datasets.fields import Field, read_json, shown
from eval.datasets.provenance import hash_of, identify
from eval.datasets.types import Conversation, Dataset, QAItem

DATE_FORMAT = "%I:%M %p on %d %B, %Y"
_SESSION_KEY = re.compile(r"session_([1-9]\d{0,4})")
_SAMPLE_ID = re.compile(r"\w[\w.-]{0,99}")


def load_locomo(path: str | Path) -> Dataset:
    """Read a file in LoCoMo's format. Raises DataError naming file, sample, field and the way out."""
    root, raw = read_json(Path(path))
    conversations = [_conversation(sample, index) for index, sample in enumerate(root.each())]
    if not conversations:
        root.fail("holds no sample")
    _refuse_doubles(root, [c.id for c in conversations], "sample_id")
    sha256 = hash_of(raw)
    origin = identify(sha256)
    return Dataset(
        name=origin.name,
        conversations=tuple(conversations),
        source=str(path),
        sha256=sha256,
        licence=origin.licence,
        is_sample=origin.kind == "sample",
        comparable=origin.kind == "official",
    )


@dataclass(frozen=True, slots=True)
class _Frame:
    """What every part of one sample is read against."""

    sample_id: str
    speakers: tuple[str, str]
    turn_ids: Set[str]


def _conversation(sample: Field, index: int) -> Conversation:
    sample = replace(sample, path="", sample=f"sample no. {index + 1}")
    sample_id = _sample_id(sample.get("sample_id"))
    sample = replace(sample, sample=f"sample {sample_id}")
    talk = sample.get("conversation")
    speakers = _speakers(talk)
    turns = {number: _turns(talk.get(f"session_{number}"), speakers) for number in _session_numbers(talk)}
    ids = [turn.id for session in turns.values() for turn in session]
    _refuse_doubles(talk, ids, "dia_id")
    frame = _Frame(sample_id, speakers, frozenset(ids))
    return Conversation(
        id=sample_id,
        speakers=speakers,
        sessions=tuple(_session(sample, number, turns[number], frame) for number in turns),
        items=tuple(_item(qa, position, frame) for position, qa in enumerate(sample.get("qa").each())),
        session_total=len(turns),
    )


def _sample_id(field: Field) -> str:
    sample_id = field.text()
    if not _SAMPLE_ID.fullmatch(sample_id):
        field.fail(
            f"the id {shown(sample_id)} can't name a file",
            "Use letters, digits, '-', '_' and '.', at most 100, not starting with '.' or '-'",
        )
    return sample_id


def _speakers(talk: Field) -> tuple[str, str]:
    first, second = talk.get("speaker_a").text(), talk.get("speaker_b").text()
    if first == second:
        talk.get("speaker_b").fail(f"both speakers are called {shown(first)}")
    return first, second


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


def _session(sample: Field, number: int, turns: tuple[Turn, ...], frame: _Frame) -> Session:
    date = sample.get("conversation").get(f"session_{number}_date_time")
    return Session(
        id=f"session_{number}",
        number=number,
        when=_when(date),
        date_text=date.text(),
        turns=turns,
        observations=_observations(sample, number, frame),
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


def _observations(sample: Field, number: int, frame: _Frame) -> tuple[Observation, ...]:
    key = f"session_{number}_observation"
    if not sample.has("observation") or not sample.get("observation").has(key):
        return ()
    block = sample.get("observation").get(key)
    names = [name for name in block.of(dict) if _known_speaker(replace(block, value=name), frame.speakers)]
    return tuple(_observation(fact, name, frame) for name in names for fact in block.get(name).each())


def _observation(fact: Field, speaker: str, frame: _Frame) -> Observation:
    parts = list(fact.each())
    if len(parts) != 2:
        fact.fail("an observation is a pair of text and dia_id")
    text, turns = parts
    return Observation(speaker, text.text(), _observed_turns(turns, frame.turn_ids))


def _observed_turns(turns: Field, turn_ids: Set[str]) -> tuple[str, ...]:
    """The published file writes "D1:3", "D4:17, D4:19" or a list of ids."""
    ids = [t.text() for t in turns.each()] if isinstance(turns.value, list) else turns.text().split(", ")
    if unknown := [i for i in ids if i not in turn_ids]:
        turns.fail(f"{shown(unknown[0])} names no turn of this conversation")
    return tuple(ids)


def _item(qa: Field, position: int, frame: _Frame) -> QAItem:
    category = _category(qa.get("category"))
    adversarial = category is Category.ADVERSARIAL
    evidence = resolve_evidence(qa.get("evidence"), frame.sample_id, frame.turn_ids)
    return QAItem(
        question=Question(f"{frame.sample_id}/q{position}", qa.get("question").text(), category.value),
        category=category,
        reference=_answer(qa.get("answer")) if qa.has("answer") or not adversarial else None,
        trap=_answer(qa.get("adversarial_answer")) if qa.has("adversarial_answer") or adversarial else None,
        evidence=evidence.turns,
        evidence_dropped=evidence.dropped,
    )


def _category(field: Field) -> Category:
    try:
        return Category.from_locomo_id(field.of(int))
    except ValueError:
        field.fail(f"unknown category {shown(field.value)}", "Use 1 to 5")


def _answer(field: Field) -> str:
    return str(field.value) if type(field.value) is int else field.text()


def _refuse_doubles(field: Field, ids: list[str], name: str) -> None:
    if len(set(ids)) < len(ids):
        double = next(i for i in ids if ids.count(i) > 1)
        field.fail(f"the {name} {shown(double)} is used twice", f"Give each its own {name}")
