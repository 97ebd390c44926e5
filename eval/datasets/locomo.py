"""LoCoMo's file as typed objects (Maharana et al., "Evaluating Very Long-Term Conversational Memory of LLM Agents",
ACL 2024; format of snap-research/locomo@3eb6f2c data/locomo10.json).

What the format does not say and the file shows: six answers are whole numbers; 444 of 446 adversarial questions have no
`answer`; nine evidence entries name no turn (`eval/datasets/evidence.py`).
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import replace
from pathlib import Path

from amem.contract import Question
from eval.datasets.categories import Category
from eval.datasets.evidence import resolve_evidence
from eval.datasets.fields import Field, read_json, refuse_doubles, shown
from eval.datasets.provenance import hash_of, identify
from eval.datasets.sessions import read_sessions, read_speakers
from eval.datasets.types import Conversation, Dataset, QAItem

_SAMPLE_ID = re.compile(r"\w[\w.-]{0,99}")


def load_locomo(path: str | Path) -> Dataset:
    """Read a file in LoCoMo's format. Raises DataError naming file, sample, field and the way out."""
    root, raw = read_json(Path(path))
    conversations = [_conversation(sample, index) for index, sample in enumerate(root.each())]
    if not conversations:
        root.fail("holds no sample")
    refuse_doubles(root, [c.id for c in conversations], "sample_id")
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


def _conversation(sample: Field, index: int) -> Conversation:
    sample = replace(sample, path="", sample=f"sample no. {index + 1}")
    sample_id = _sample_id(sample.get("sample_id"))
    sample = replace(sample, sample=f"sample {sample_id}")
    speakers = read_speakers(sample.get("conversation"))
    sessions = read_sessions(sample, speakers)
    turn_ids = {turn.id for session in sessions for turn in session.turns}
    items = (_item(qa, sample_id, position, turn_ids) for position, qa in enumerate(sample.get("qa").each()))
    return Conversation(sample_id, speakers, sessions, tuple(items), session_total=len(sessions))


def _sample_id(field: Field) -> str:
    sample_id = field.text()
    if not _SAMPLE_ID.fullmatch(sample_id):
        field.fail(
            f"the id {shown(sample_id)} can't name a file",
            "Use letters, digits, '-', '_' and '.', at most 100, not starting with '.' or '-'",
        )
    return sample_id


def _item(qa: Field, sample_id: str, position: int, turn_ids: Set[str]) -> QAItem:
    category = _category(qa.get("category"))
    adversarial = category is Category.ADVERSARIAL
    evidence = resolve_evidence(qa.get("evidence"), sample_id, turn_ids)
    return QAItem(
        question=Question(f"{sample_id}/q{position}", qa.get("question").text(), category.value),
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
