"""From a run's folder to its pages."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amem.lm.records import RecordStore
from eval.figures.of_run import pictured, run_figures
from eval.figures.tsne import tsne
from eval.memories.stored import StoredMemory, stored_memories
from eval.report.answers import AnswerPages, questions
from eval.report.lines import Lines
from eval.report.memories import memory_method, network_page, page_name, turns_of
from eval.report.overview import Parts, overview
from eval.report.page import render
from eval.report.prompts import Prompts, records_path
from eval.reporting import run_tables
from eval.runner.files import write_text
from eval.runner.recalls import read_recalls
from eval.scaling.report import scaling_parts
from eval.scored import Scored, scored_run
from eval.scoring.absent import absent_memories, told
from eval.scoring.run_folder import StoredRun, is_scaling, read_run
from eval.tables.meta import RunMeta
from eval.tables.structure import structure_table

QUESTIONS_A_PAGE = 200
"""A run with more questions is split by conversation."""
QUESTIONS_A_PART = 300
"""A conversation with more questions is split into parts of so many: a show of DialSim has up to 1,700."""
NOTES_A_PAGE = 3_000
"""A network of more notes is not drawn: neither its layout nor the browser would end in time."""


NOTHING: Mapping[str, Any] = {
    "labels": {"backbones": {}, "methods": {}}, "memoryOf": {}, "questions": {}, "answers": [], "recalls": [],
    "turns": {}, "memories": {}, "undrawn": {}, "scores": {"headings": {}, "rule": "", "found": ""},
}  # fmt: skip
"""The data of a page that holds no question."""


@dataclass(frozen=True, slots=True)
class Run:
    """All that the pages are made of."""

    folder: Path
    stored: StoredRun
    recalls: Mapping[str, str]
    memories: Sequence[StoredMemory]
    scored: Scored
    store: RecordStore | None

    @property
    def manifest(self) -> Mapping[str, Any]:
        return self.stored.manifest

    @property
    def answers(self) -> Sequence[Mapping[str, Any]]:
        return self.stored.answers


def write_report(folder: Path, out: Path | None = None) -> list[Path]:
    """Write the report of the run in `folder` to `out` (default: `report.html` there); returns the files, first first.

    A run of more than QUESTIONS_A_PAGE questions gets an overview at `out` and a file for each conversation (or part
    of one, from QUESTIONS_A_PART on) beside it.
    Raises ResultsError for a folder that holds no run, or one that can't be scored.
    """
    out = out or folder / "report.html"
    if is_scaling(folder):
        return [_write_scaling(folder, out)]
    with ExitStack() as stack:
        run = _read(folder, stack)
        asked = list(questions(run.answers))
        parts = dict(_parts(run.answers))
        summary = _overview(run)
        title = f"{run.manifest['name']} {run.manifest['key']}"
        if len(parts) == 1 or len(asked) <= QUESTIONS_A_PAGE:
            return [_write(out, title, run, asked, summary)]
        paths = {name: out.with_name(f"{out.stem}-{name}{out.suffix}") for name in parts}
        links = {name: path.name for name, path in paths.items()}
        first = _write(out, title, run, [], {**summary, "parts": list(links.items())})
        bare = {**summary, "tables": [], "more": [], "figures": [], "ledger": []}
        bare["parts"] = [("All conversations", out.name), *links.items()]
        return [first, *(_write(path, f"{title}: {name}", run, parts[name], bare) for name, path in paths.items())]


def _parts(answers: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, list[str]]]:
    """Question ids by the name of their part: the conversation's, with numbers where it has several parts."""
    by_conversation: dict[str, dict[str, None]] = {}
    for row in answers:
        by_conversation.setdefault(row["conversation"], {})[row["question_id"]] = None
    for name, ids in by_conversation.items():
        for start in range(0, len(ids), QUESTIONS_A_PART):
            part = list(ids)[start : start + QUESTIONS_A_PART]
            numbered = f"{name}-{start + 1}-{start + len(part)}"
            yield (name if len(ids) <= QUESTIONS_A_PART else numbered), part


def _read(folder: Path, stack: ExitStack) -> Run:
    stored = read_run(folder)
    records = records_path(folder, stored.manifest)
    return Run(
        folder,
        stored,
        read_recalls(folder / "recalls.jsonl"),
        list(stored_memories(folder)),
        scored_run(stored, folder),
        stack.enter_context(RecordStore(records)) if records else None,
    )


def _overview(run: Run) -> dict[str, Any]:
    meta = RunMeta.from_manifest(run.manifest)
    scores = run.scored.scores
    tables = run_tables(run.folder, run.stored, scores, meta)
    figures = run_figures(run.folder, scores, run.stored, run.memories, meta)
    if drawn := pictured(run.memories):
        figures.append(tsne(drawn))
    beside = {"tsne": structure_table(drawn)} if drawn else {}
    return overview(Parts(run.manifest, tables, figures, beside, run.answers, run.memories, _absent(run, meta)))


def _absent(run: Run, meta: RunMeta) -> list[str]:
    """What the page can't show, a sentence each: files that were taken away, or not copied along."""
    found = []
    if memories := absent_memories(run.folder, run.answers, meta.shared_memories()):
        found.append(told(memories))
    recalled = [row["recall"]["text_hash"] for row in run.answers if row["recall"]]
    if lost := sum(key not in run.recalls for key in recalled):
        found.append(f"recalls.jsonl lacks what was recalled for {lost:,} of {len(recalled):,} answers")
    if run.store is None:
        found.append(
            "the record store is neither beside the run's folder nor where its manifest says: no exact prompts"
        )
    return found


def _write(out: Path, title: str, run: Run, asked: Sequence[str], summary: Mapping[str, Any]) -> Path:
    lines = Lines()
    prompts = Prompts(run.store, lines)
    pages = AnswerPages(run.scored, run.recalls, lines, prompts)
    wanted = set(asked)
    chosen = [(i, row) for i, row in enumerate(run.answers) if row["question_id"] in wanted]
    conversations = dict.fromkeys(row["conversation"] for _, row in chosen)
    networks = [m for m in run.memories if m.has_notes and m.conversation in conversations]
    drawn = [m for m in networks if len(m.snapshot.state["notes"]) <= NOTES_A_PAGE]
    config = run.manifest["config"]
    encoder = config["embedder"]["model"]
    data = {
        "labels": {kind: _labels(config[kind]) for kind in ("backbones", "methods")},
        "scores": {"headings": run.scored.headings, "rule": run.scored.rule, "found": run.scored.found_words},
        "memoryOf": {name: memory_method(name, config) for name in config["methods"]},
        "questions": questions([row for _, row in chosen]),
        "answers": [pages.page(i, row) for i, row in chosen],
        "recalls": pages.shared,
        "turns": {name: turns_of(run.memories, name) for name in conversations},
        "memories": {page_name(m): network_page(m, _asking(run, m.method, wanted), run.store, encoder) for m in drawn},
        "undrawn": {
            page_name(m): len(m.snapshot.state["notes"])
            for m in networks
            if len(m.snapshot.state["notes"]) > NOTES_A_PAGE
        },
    }
    write_text(out, render(title, data, {"lines": lines.table, "prompts": prompts.by_key}, summary))
    return out


def _asking(run: Run, method: str, asked: Collection[str]) -> list[Mapping[str, Any]]:
    rows = (row for row in run.answers if row["question_id"] in asked)
    return [row for row in rows if memory_method(row["method"], run.manifest["config"]) == method]


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
