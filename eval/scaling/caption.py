"""What a scaling table says of where and how its cells were measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from eval.scaling.figures import Measured

Machine = tuple[str, int, int]
"""Processor, cores, memory in GiB: whole ones, since a few MiB change with every boot."""


def caption(manifest: Mapping[str, Any], cells: Sequence[Measured]) -> str:
    """`cells` are those that the table is made of: a run may be gone on with on another machine."""
    scaling = manifest["config"]["scaling"]
    return (
        f"{_unfinished(manifest)}{measured_on(cells)}; timed on {scaling['threads']} thread(s), {scaling['queries']} "
        f"single queries, batches of {scaling['batch']:,}, k = {scaling['k']}, model calls of "
        f"{scaling['call_seconds']} s; run {manifest['key']}."
    )


def _unfinished(manifest: Mapping[str, Any]) -> str:
    lacking = manifest.get("lacking")
    return f"UNFINISHED RUN, not measured: {', '.join(lacking)}. " if lacking else ""


def measured_on(cells: Sequence[Measured]) -> str:
    """The machine, or each of several with what was measured on it."""
    by_machine = _by_machine(cells)
    if len(by_machine) == 1:
        return "".join(_machine(machine, own) for machine, own in by_machine.items())
    parts = [f"{_sizes(own, cells)} on {_machine(machine, own)}" for machine, own in by_machine.items()]
    return f"Measured on {len(parts)} machines, whose times can't be compared: {'; '.join(parts)}"


def _by_machine(cells: Sequence[Measured]) -> dict[Machine, list[Measured]]:
    found: dict[Machine, list[Measured]] = {}
    for cell in cells:
        facts = cell["machine"]
        found.setdefault((facts["cpu"], facts["cores"], round(facts["memory_bytes"] / 2**30)), []).append(cell)
    return found


def _machine(machine: Machine, cells: Sequence[Measured]) -> str:
    cpu, cores, memory = machine
    loads = [cell["machine"]["load_average"][0] for cell in cells]
    return f"{cpu}, {cores} cores, {memory} GiB, at load averages of {min(loads):.1f} to {max(loads):.1f}"


def _sizes(own: Sequence[Measured], all_cells: Sequence[Measured]) -> str:
    """The sizes of a machine's `own` cells; where another one measured some of a size, whose cells they are."""
    found = []
    for size in dict.fromkeys(cell["cell"]["size"] for cell in own):
        names = [_name(cell) for cell in own if cell["cell"]["size"] == size]
        whole = len(names) == sum(cell["cell"]["size"] == size for cell in all_cells)
        found.append(f"{size:,}" if whole else f"{size:,} ({', '.join(names)})")
    return f"{', '.join(found)} entries"


def _name(cell: Measured) -> str:
    return str(cell["cell"]["method"] or f"{cell['cell']['vectors']} vectors")
