"""The tables that rest on a run's memories instead of its answers."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from amem.errors import ResultsError
from eval.memories.cost import note_cost
from eval.memories.drift import drift
from eval.memories.stored import StoredMemory, stored_memories
from eval.scoring.absent import check_memories
from eval.scoring.run_folder import read_run
from eval.tables.drift import drift_table
from eval.tables.memory_cost import memory_cost_table
from eval.tables.meta import RunMeta
from eval.tables.table import Table

Place = tuple[str, str]
"""Backbone and method."""


def memory_tables(run: Path, meta: RunMeta) -> list[Table]:
    """Cost of a memory operation, and drift; each where the run has memories of its kind."""
    places = _by_place(run, meta)
    if not places:
        return []
    tables = [memory_cost_table({place: note_cost(found) for place, found in places.items()}, meta)]
    noted = {place: found for place, found in places.items() if all(memory.has_notes for memory in found)}
    if noted:
        tables.append(drift_table({place: drift(found) for place, found in noted.items()}, meta))
    return tables


def memory_table(run: Path, key: str) -> Table:
    """One of them by its key; raises ResultsError where the run has no such memories, or not all of them are there."""
    stored = read_run(run)
    meta = RunMeta.from_manifest(stored.manifest)
    check_memories(run, stored.answers, meta.shared_memories(), f"table {key}")
    for table in memory_tables(run, meta):
        if table.key == key:
            return table
    raise ResultsError(
        f"{run} holds no memories for table {key}: none of its methods writes any with a model's help, or the run has "
        "not got to them, or memory/ was not copied along"
    )


def _by_place(run: Path, meta: RunMeta) -> dict[Place, list[StoredMemory]]:
    """Only methods that make calls; backbones and methods in the order of the configuration."""

    def place(memory: StoredMemory) -> Place:
        return memory.backbone, memory.method

    found = {key: list(group) for key, group in groupby(stored_memories(run), place)}
    order = [(backbone, method) for backbone in meta.backbones for method in meta.methods]
    return {key: found[key] for key in order if _makes_calls(found.get(key, ()))}


def _makes_calls(memories: Iterable[StoredMemory]) -> bool:
    return any(memory.facts["calls"] for memory in memories)
