"""A run's folder with memories of A-Mem in it, built by a scripted model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from amem.lm.ledger import collecting
from amem.lm.types import Request
from eval.runner.answers import call_json
from eval.runner.memory_files import save_memory
from tests.amem.a_mem import LINES, memory, script, session
from tests.eval.scoring.made_answers import answers, manifest, write_run
from tests.support import tools_for


def evolve(request: Request) -> dict[str, Any]:
    """Only the first note is ever rewritten, to something else."""
    first = LINES[0] in request.messages[-1].content.split("being reviewed:")[1]
    return {"update": first, "keywords": ["zebra"], "tags": ["zebra"], "context": "zebra zebra zebra zebra"}


def write_memory(
    run: Path,
    *,
    lines: list[str] = LINES[:3],
    method: str = "amem",
    name: str = "conv-1",
    linking: Any = ("n1",),
    **switches: Any,
) -> None:
    """One memory; by default every note is linked to the first and rewrites it (once to any effect)."""
    tools = tools_for(script(link=lambda ids: list(linking), evolve=evolve))
    amem = memory(tools, **switches)
    with collecting() as calls:
        amem.ingest(session(lines))
    facts = {"calls": [call_json(call) for call in calls], "turns": len(lines)}
    save_memory(run / "memory" / "tiny" / method / name, amem.snapshot(), facts)


def write_run_with_memory(folder: Path, **options: Any) -> Path:
    rows = [row for row in answers({"amem": 0.5}) if row["conversation"] == "conv-1"]
    run = write_run(folder, rows, manifest(("amem",)))
    write_memory(run, **options)
    return run
