"""The memories in a run's folder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from amem.contract import Snapshot
from amem.errors import ResultsError
from amem.network import NoteNetwork
from eval.runner.memory_files import load_memory


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """A memory as the run left it; `name` is the conversation's id, with the repeat where there are repeats."""

    backbone: str
    method: str
    name: str
    snapshot: Snapshot
    facts: dict[str, Any]

    @property
    def has_notes(self) -> bool:
        """Whether it is one of A-Mem's."""
        return "history" in self.snapshot.state and "notes" in self.snapshot.state

    @property
    def conversation(self) -> str:
        return self.name.partition(".repeat")[0]

    @property
    def repeat(self) -> int:
        return int(self.name.partition(".repeat")[2] or 0)

    def network(self) -> NoteNetwork:
        return NoteNetwork.from_json(self.snapshot.state)

    def first_and_last_vectors(self) -> tuple[np.ndarray, np.ndarray]:
        """Two arrays of shape (notes, dimension): as each note was taken in, and as it is searched by now."""
        last = self.snapshot.arrays["vectors"]
        first = last.copy()
        rows = {note["id"]: row for row, note in enumerate(self.snapshot.state["notes"])}
        changed = [rows[note_id] for note_id in self.snapshot.state["vectors"]["first_vectors_of"]]
        first[changed] = self.snapshot.arrays["first_vectors"]
        return first, last


def stored_memories(run: Path, *, backbone: str | None = None, method: str | None = None) -> Iterator[StoredMemory]:
    """In the order of names."""
    for path in sorted(run.glob("memory/*/*/*.json")):
        of_backbone, of_method = path.parts[-3:-1]
        if backbone in (None, of_backbone) and method in (None, of_method):
            loaded = load_memory(path.with_suffix(""))
            assert loaded is not None
            yield StoredMemory(of_backbone, of_method, path.stem, *loaded)


def find_memory(run: Path, conversation: str, *, backbone: str | None, method: str | None) -> StoredMemory:
    """The one A-Mem memory that the arguments name; raises ResultsError with the choices otherwise."""
    noted = [memory for memory in stored_memories(run) if memory.has_notes]
    for option, wanted, known in (
        ("--backbone", backbone, {memory.backbone for memory in noted}),
        ("--method", method, {memory.method for memory in noted}),
    ):
        if wanted is not None and wanted not in known:
            raise ResultsError(
                f"{run}: {option} {wanted} has no memory of notes; there are {', '.join(sorted(known)) or 'none'}"
            )
    noted = [memory for memory in noted if backbone in (None, memory.backbone) and method in (None, memory.method)]
    named = [memory for memory in noted if memory.name == conversation]
    if len(named) == 1:
        return named[0]
    choices = ", ".join(f"{memory.backbone}/{memory.method}/{memory.name}" for memory in named or noted)
    problem = "is ambiguous: say --backbone and --method" if named else "has no notes here"
    raise ResultsError(f"{run}: conversation {conversation!r} {problem}; there are {choices or 'none'}")
