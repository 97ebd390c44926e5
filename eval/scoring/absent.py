"""Memories that answers rest on and that are not in the run's folder: taken away, or not copied along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from amem.errors import ResultsError
from eval.runner.memory_files import memory_name
from eval.scoring.answers import Answer

_REMEDY = "the run's own command builds them again from its records"


def absent_memories(folder: Path, answers: Sequence[Answer], shared: Mapping[str, str]) -> list[str]:
    """`<backbone>/<method>/<conversation>` of each; `shared` names the method under which another's memory is kept."""
    wanted = {
        (
            row["backbone"],
            shared.get(row["method"], row["method"]),
            memory_name(row["conversation"], row["repeat"]),
        ): None
        for row in answers
        if row["memory"]
    }
    names = ["/".join(parts) for parts in wanted]
    return [name for name in names if not (folder / "memory" / f"{name}.json").exists()]


def told(absent: Sequence[str]) -> str:
    """One sentence for people."""
    return f"{_named(absent)}: costs and whatever else rests on them are left out; {_REMEDY}"


def check_memories(folder: Path, answers: Sequence[Answer], shared: Mapping[str, str], wanted: str) -> None:
    """Raises ResultsError where memories are absent on which `wanted` (such as "table drift") rests."""
    if absent := absent_memories(folder, answers, shared):
        raise ResultsError(f"{folder}: {_named(absent)}, and {wanted} would rest on the others alone; {_REMEDY}")


def _named(absent: Sequence[str]) -> str:
    return f"{len(absent)} of the run's memories are not in its folder (memory/{absent[0]}.json, for one)"
