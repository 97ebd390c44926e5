"""The tables that rest on a run's memories instead of its answers."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from eval.memories.cost import note_cost
from eval.memories.drift import drift
from eval.memories.stored import StoredMemory, stored_memories
from eval.tables.drift import drift_table
from eval.tables.memory_cost import memory_cost_table
from eval.tables.meta import RunMeta
from eval.tables.table import Table

Place = tuple[str, str]
"""Backbone and method."""


def memory_tables(run: Path, meta: RunMeta) -> list[Table]:
    """Cost of a memory operation, and drift where the run has memories of notes."""
    places = _by_place(run, meta)
    tables = [memory_cost_table({place: note_cost(found) for place, found in places.items()}, meta)]
    noted = {place: found for place, found in places.items() if all(memory.has_notes for memory in found)}
    if noted:
        tables.append(drift_table({place: drift(found) for place, found in noted.items()}, meta))
    return tables


def _by_place(run: Path, meta: RunMeta) -> dict[Place, list[StoredMemory]]:
    """Only methods that make calls; backbones and methods in the order of the configuration."""

    def place(memory: StoredMemory) -> Place:
        return memory.backbone, memory.method

    found = {key: list(group) for key, group in groupby(stored_memories(run), place)}
    order = [(backbone, method) for backbone in meta.backbones for method in meta.methods]
    return {key: found[key] for key in order if _makes_calls(found.get(key, ()))}


def _makes_calls(memories: Iterable[StoredMemory]) -> bool:
    return any(memory.facts["calls"] for memory in memories)
