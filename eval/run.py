"""Run a configuration: prepare it, do its units, score, print the table."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

from eval.config import RunConfig
from eval.executors.choice import executor_for
from eval.executors.work import Work
from eval.interchange.tracking import check_tracking, track
from eval.prepared import Prepared, prepare, units
from eval.runner import manifest
from eval.runner.answers import AnswerKey
from eval.runner.files import read_jsonl, write_json
from eval.runner.unit import Unit


def run(config: RunConfig) -> Path:
    """Do the run, or go on with it where it stopped; returns its folder. Prints the table on standard output."""
    check_tracking(config.tracking)
    with ExitStack() as stack:
        prepared = prepare(config, stack)
        execute(prepared)
    from eval.reporting import report_run

    print(report_run(prepared.folder, config.scoring), end="")
    track(prepared.folder, config.tracking)
    print(f"\nWritten to {prepared.folder}", file=sys.stderr)
    return prepared.folder


def is_done(prepared: Prepared) -> bool:
    """Whether the run came to its end before, no question failed, and its tables are scored as they are wanted."""
    path = prepared.folder / "manifest.json"
    if not path.exists() or not (prepared.folder / "table.md").exists():
        return False
    stored = json.loads(path.read_text("utf-8"))
    if "finished" not in stored["starts"][-1] or stored["config"]["scoring"] != asdict(prepared.config.scoring):
        return False
    rows = list(read_jsonl(prepared.folder / "answers.jsonl", tolerate_cut_end=True))
    return len(rows) == len(list(_order(units(prepared)))) and all(row["failure"] is None for row in rows)


def execute(prepared: Prepared) -> None:
    """Do every unit that is not done, side by side, and leave answers.jsonl in its canonical order."""
    path = prepared.folder / "manifest.json"
    todo = list(units(prepared))
    order = list(_order(todo))
    starts = [*manifest.earlier_starts(path), {"started": manifest.now(), "expected": len(order)}]
    write_json(path, {**prepared.facts, "starts": starts})
    work = Work.of(prepared, todo)
    executor = executor_for(work)
    try:
        starts[-1]["answers"] = executor.run(work, order)
        starts[-1]["finished"] = manifest.now()
    finally:
        starts[-1]["calls"] = executor.calls()
        write_json(path, {**prepared.facts, "starts": starts})


def _order(todo: Iterable[Unit]) -> Iterator[AnswerKey]:
    for unit in todo:
        for item in unit.conversation.items:
            yield unit.backbone, unit.method, item.question.id, unit.repeat
