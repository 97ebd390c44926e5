"""Evidence ids: which turns a question's answer rests on, and the known faults of the published file.

Nine evidence entries of locomo10.json name no turn as they stand. Each is listed here with what it must mean, checked
by reading question and turns. Guessing by pattern would also "repair" what is broken in somebody else's file; an
entry that is neither a turn nor listed is an error there.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

from eval.datasets.fields import Field, shown


@dataclass(frozen=True, slots=True)
class Repair:
    """What a malformed entry means: turn ids, or none with the reason."""

    turns: tuple[str, ...]
    reason: str


_SEVERAL = "several ids in one string"

REPAIRS: Mapping[tuple[str, str], Repair] = {
    ("conv-26", "D8:6; D9:17"): Repair(("D8:6", "D9:17"), _SEVERAL),
    ("conv-42", "D"): Repair((), "no turn number; the turns beside it are listed and suffice"),
    ("conv-42", "D10:19"): Repair((), "session 10 has fewer turns; which one was meant can't be told"),
    ("conv-43", "D:11:26"): Repair(("D11:26",), "a surplus colon"),
    ("conv-47", "D4:36"): Repair((), "session 4 has fewer turns; which one was meant can't be told"),
    ("conv-49", "D9:1 D4:4 D4:6"): Repair(("D9:1", "D4:4", "D4:6"), _SEVERAL),
    ("conv-49", "D22:1 D22:2 D9:10 D9:11"): Repair(("D22:1", "D22:2", "D9:10", "D9:11"), _SEVERAL),
    ("conv-49", "D21:18 D21:22 D11:15 D11:19"): Repair(("D21:18", "D21:22", "D11:15", "D11:19"), _SEVERAL),
    ("conv-50", "D30:05"): Repair(("D30:5",), "a leading zero"),
}
"""(sample id, entry as written) → its repair, for the published file."""

SAMPLE_REPAIRS: Mapping[tuple[str, str], Repair] = {
    ("sample-1", "D2:2; D5:7"): Repair(("D2:2", "D5:7"), _SEVERAL),
    ("sample-1", "D4:20"): Repair((), "session 4 has fewer turns"),
    ("sample-1", "D5:04"): Repair(("D5:4",), "a leading zero"),
    ("sample-1", "D"): Repair((), "no turn number"),
    ("sample-2", "D2:5 D3:4 D3:6"): Repair(("D2:5", "D3:4", "D3:6"), _SEVERAL),
    ("sample-2", "D:3:8"): Repair(("D3:8",), "a surplus colon"),
}
"""The same for the shipped sample, which has faults of each kind on purpose."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Turn ids in the order of the file, each once, and the entries that name no turn."""

    turns: tuple[str, ...]
    dropped: tuple[str, ...]


def resolve_evidence(entries: Field, sample_id: str, turn_ids: Set[str]) -> Evidence:
    """Read a question's evidence list. Raises DataError for an entry that is neither a turn nor a listed fault."""
    turns: list[str] = []
    dropped: list[str] = []
    for entry in entries.each():
        raw = entry.of(str)
        found = _turns_of(entry, sample_id, turn_ids)
        turns += found
        if not found:
            dropped.append(raw)
    return Evidence(tuple(dict.fromkeys(turns)), tuple(dropped))


def _turns_of(entry: Field, sample_id: str, turn_ids: Set[str]) -> tuple[str, ...]:
    if entry.value in turn_ids:
        return (entry.value,)
    key = (sample_id, entry.value)
    repair = REPAIRS.get(key) or SAMPLE_REPAIRS.get(key)
    if repair is None or not set(repair.turns) <= turn_ids:
        entry.fail(
            f"the evidence {shown(entry.value)} names no turn of this conversation",
            "Write one dia_id an entry; known faults are listed in eval/datasets/evidence.py",
        )
    return repair.turns
