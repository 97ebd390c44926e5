"""From a run's folder to its pages."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amem.errors import ResultsError
from amem.lm.records import RecordStore
from eval.figures.of_run import METRICS, pictured, run_figures
from eval.figures.tsne import tsne
from eval.memories.stored import StoredMemory, stored_memories
from eval.report.answers import AnswerPages, questions
from eval.report.lines import Lines
from eval.report.memories import memory_method, network_page, page_name, turns_of
from eval.report.overview import Parts, overview
from eval.report.page import render
from eval.report.prompts import Prompts, records_path
from eval.reporting import run_tables
from eval.runner.files import read_jsonl, write_text
from eval.scaling.report import is_scaling, scaling_parts
from eval.scoring.run_folder import StoredRun, read_run
from eval.scoring.scores import Scores, score_answers
from eval.tables.meta import RunMeta
from eval.tables.structure import structure_table

QUESTIONS_A_PAGE = 200
"""A run with more questions is split by conversation."""


NOTHING: Mapping[str, Any] = {
    "labels": {"backbones": {}, "methods": {}}, "memoryOf": {}, "questions": {}, "answers": [], "recalls": [],
    "turns": {}, "memories": {},
}  # fmt: skip
"""The data of a page that holds no question."""


@dataclass(frozen=True, slots=True)
class Run:
    """All that the pages are made of."""

    folder: Path
    manifest: Mapping[str, Any]
    answers: Sequence[Mapping[str, Any]]
    recalls: Mapping[str, str]
    memories: Sequence[StoredMemory]
    scores: Scores
    store: RecordStore | None


def write_report(folder: Path, out: Path | None = None) -> list[Path]:
    """Write the report of the run in `folder` to `out` (default: `report.html` there); returns the files, first first.

    A run of more than QUESTIONS_A_PAGE questions gets an overview at `out` and a file a conversation beside it.
    Raises ResultsError for a folder that holds no run, or one that can't be scored.
    """
    out = out or folder / "report.html"
    if is_scaling(folder):
        return [_write_scaling(folder, out)]
    with ExitStack() as stack:
        run = _read(folder, stack)
        conversations = list(dict.fromkeys(row["conversation"] for row in run.answers))
        summary = _overview(run)
        title = f"{run.manifest['name']} {run.manifest['key']}"
        if len(conversations) == 1 or len(questions(run.answers)) <= QUESTIONS_A_PAGE:
            return [_write(out, title, run, conversations, summary)]
        parts = {name: out.with_name(f"{out.stem}-{name}{out.suffix}") for name in conversations}
        links = {name: path.name for name, path in parts.items()}
        first = _write(out, title, run, [], {**summary, "parts": list(links.items())})
        bare = {**summary, "tables": [], "more": [], "figures": [], "ledger": []}
        bare["parts"] = [("All conversations", out.name), *links.items()]
        return [first, *(_write(path, f"{title}: {name}", run, [name], bare) for name, path in parts.items())]


def _read(folder: Path, stack: ExitStack) -> Run:
    stored = read_run(folder)
    if stored.manifest["config"].get("dialsim") is not None:
        raise ResultsError(f"{folder} is a run on DialSim; reports are made of runs on LoCoMo. Its tables: table.html")
    recalls_path, records = folder / "recalls.jsonl", records_path(folder, stored.manifest)
    recalls = read_jsonl(recalls_path, tolerate_cut_end=True) if recalls_path.exists() else ()
    return Run(
        folder,
        stored.manifest,
        stored.answers,
        {row["hash"]: row["text"] for row in recalls},
        list(stored_memories(folder)),
        score_answers(stored.answers, metrics=METRICS, manifest=stored.manifest),
        stack.enter_context(RecordStore(records)) if records else None,
    )


def _overview(run: Run) -> dict[str, Any]:
    meta = RunMeta.from_manifest(run.manifest)
    tables = run_tables(run.folder, StoredRun(run.manifest, list(run.answers)), run.scores, meta)
    figures = run_figures(run.scores, run.answers, run.memories, meta)
    if drawn := pictured(run.memories):
        figures.append(tsne(drawn))
    beside = {"tsne": structure_table(drawn)} if drawn else {}
    return overview(Parts(run.manifest, tables, figures, beside, run.answers, run.memories))


def _write(out: Path, title: str, run: Run, conversations: Sequence[str], summary: Mapping[str, Any]) -> Path:
    lines = Lines()
    prompts = Prompts(run.store, lines)
    pages = AnswerPages(run.scores, run.recalls, lines, prompts)
    chosen = [(i, row) for i, row in enumerate(run.answers) if row["conversation"] in conversations]
    config = run.manifest["config"]
    encoder = config["embedder"]["model"]
    data = {
        "labels": {kind: _labels(config[kind]) for kind in ("backbones", "methods")},
        "memoryOf": {name: memory_method(name, config) for name in config["methods"]},
        "questions": questions([row for _, row in chosen]),
        "answers": [pages.page(i, row) for i, row in chosen],
        "recalls": pages.shared,
        "turns": {name: turns_of(run.memories, name) for name in conversations},
        "memories": {
            page_name(memory): network_page(memory, _asking(run, memory.method), run.store, encoder)
            for memory in run.memories
            if memory.has_notes and memory.conversation in conversations
        },
    }
    write_text(out, render(title, data, {"lines": lines.table, "prompts": prompts.by_key}, summary))
    return out


def _asking(run: Run, method: str) -> list[Mapping[str, Any]]:
    return [row for row in run.answers if memory_method(row["method"], run.manifest["config"]) == method]


def _write_scaling(folder: Path, out: Path) -> Path:
    """A scaling run asks no questions: its page is the overview alone."""
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    tables, figure = scaling_parts(folder)
    write_text(
        out, render(f"{manifest['name']} {manifest['key']}", NOTHING, {}, overview(Parts(manifest, tables, [figure])))
    )
    return out


def _labels(group: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    return {name: entry["label"] for name, entry in group.items()}
