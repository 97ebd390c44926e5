"""From a run's folder to its scores and tables; no model is called."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from eval.config import ScoringConfig
from eval.dialsim.judge import stored_judge
from eval.dialsim.report import dialsim_tables
from eval.dialsim.scores import IdkReference, idk_of, registered, remembered, score_dialsim
from eval.figures.costs import KEY as COSTS
from eval.figures.costs import cost_figure
from eval.figures.ksweep import ksweep_figure
from eval.memories.building import building
from eval.memories.stored import stored_memories
from eval.memories.tables import memory_tables
from eval.metrics.registry import NAMES
from eval.runner.files import write_bytes, write_text
from eval.scoring.absent import absent_memories, told
from eval.scoring.costs import MethodCost, Place, method_costs
from eval.scoring.errata import Errata, read_errata
from eval.scoring.failures import check_failures
from eval.scoring.judge import read_judgements
from eval.scoring.run_folder import StoredRun, read_run
from eval.scoring.scores import Scores, score_answers
from eval.tables.costs import cost_table
from eval.tables.csv_text import to_csv
from eval.tables.errata import errata_table
from eval.tables.html import page
from eval.tables.judge import judge_table
from eval.tables.ksweep import ksweep_table
from eval.tables.latex import to_latex
from eval.tables.markdown import to_markdown
from eval.tables.meta import RunMeta
from eval.tables.report import report_tables
from eval.tables.table import Table
from eval.tables.text import to_text
from eval.tables.usable import cut_replies, usable_table
from eval.values import NEEDED_METRICS, check_scoring

ON_SCREEN = ("table1", "table3", "ksweep", "locomo-f1", "adversarial", "costs", "errata", "judge")


def report_run(folder: Path, scoring: ScoringConfig) -> str:
    """Score the answers in `folder`, write `scores.parquet` and the tables there, and return what the terminal shows.

    `table.csv` is Table 1 (of an ablation alone Table 3); the other tables' CSV files are in `tables/`. Raises
    `ResultsError` for answers that can't be scored honestly (`eval.scoring.answers`) and where too many questions
    failed.
    """
    check_scoring(scoring)
    run = read_run(folder)
    meta = RunMeta.from_manifest(run.manifest)
    if run.is_dialsim:
        return _report_dialsim(folder, run, meta, scoring)
    scores = score_answers(
        run.answers, metrics=_metrics(scoring), manifest=run.manifest, bertscore_model=scoring.bertscore
    )
    write_scores(folder / "scores.parquet", scores)
    check_failures(scores, max_failure_share=scoring.max_failure_share, allow_failures=scoring.allow_failures)
    tables = run_tables(folder, run, scores, meta)
    if scoring.errata:
        tables.append(_with_errata(scores, run, read_errata(Path(scoring.errata)), meta))
    _save_cost_figure(folder, run, meta)
    if meta.sweeps():
        ksweep_figure(scores, meta).save(folder)
    write_tables(folder, tables)
    return "\n".join(to_text(table) for table in tables if table.key in ON_SCREEN)


def run_tables(folder: Path, run: StoredRun, scores: Scores, meta: RunMeta) -> list[Table]:
    """All tables of a run but that of errata; `scores` of its answers with at least NEEDED."""
    if run.is_dialsim:
        judge = stored_judge(folder)
        tables = dialsim_tables(run.answers, meta, idk=idk_of(run.manifest), judge=judge, max_failure_share=None)
        return [*_with_cuts(tables, folder, run, meta), *_of_memories(folder, run, meta)]
    built = None if absent_memories(folder, run.answers, meta.shared_memories()) else building(stored_memories(folder))
    tables = _with_cuts(report_tables(scores, run.answers, meta, built), folder, run, meta)
    tables += _of_memories(folder, run, meta)
    if judgements := read_judgements(folder, run.answers):
        tables.append(judge_table(scores, judgements, meta))
    if meta.sweeps():
        tables.append(ksweep_table(scores, meta))
    return tables


def _with_cuts(tables: list[Table], folder: Path, run: StoredRun, meta: RunMeta) -> list[Table]:
    """The first table says how many replies its figures rest on were cut; of memories only what the folder holds."""
    first = replace(tables[0], notes=(*tables[0].notes, *cut_replies(_calls(folder, run), meta)))
    return [first, *tables[1:]]


def _of_memories(folder: Path, run: StoredRun, meta: RunMeta) -> list[Table]:
    """What memories cost, and how they changed, for whatever data set they were built of; none without the memories."""
    if absent_memories(folder, run.answers, meta.shared_memories()):
        return []
    tables = memory_tables(folder, meta) if any(folder.glob("memory/*/*/*.json")) else []
    return [*tables, cost_table(_costs(folder, run, meta), meta), usable_table(_calls(folder, run), meta)]


def _calls(folder: Path, run: StoredRun) -> list[tuple[str, str, dict[str, Any]]]:
    """Backbone, method and call: those of memories, then those of questions."""
    calls = [(m.backbone, m.method, call) for m in stored_memories(folder) for call in m.facts.get("calls", ())]
    return calls + [(row["backbone"], row["method"], call) for row in run.answers for call in row["calls"]]


def _save_cost_figure(folder: Path, run: StoredRun, meta: RunMeta) -> None:
    if absent := absent_memories(folder, run.answers, meta.shared_memories()):
        print(told(absent), file=sys.stderr)
        for stale in (folder / f"{COSTS}.pdf", folder / f"{COSTS}.png"):
            stale.unlink(missing_ok=True)
    else:
        cost_figure(_costs(folder, run, meta), meta).save(folder)


def _costs(folder: Path, run: StoredRun, meta: RunMeta) -> dict[Place, MethodCost]:
    return method_costs(run.answers, stored_memories(folder), meta.shared_memories())


def _report_dialsim(folder: Path, run: StoredRun, meta: RunMeta, scoring: ScoringConfig) -> str:
    share = None if scoring.allow_failures else scoring.max_failure_share
    idk, score, judge = IdkReference(scoring.idk), remembered(registered), stored_judge(folder)
    write_scores(folder / "scores.parquet", score_dialsim(run.answers, idk=idk, judge=judge, score=score))
    tables = dialsim_tables(run.answers, meta, idk=idk, judge=judge, score=score, max_failure_share=share)
    tables = _with_cuts(tables, folder, run, meta)
    write_tables(folder, [*tables, *_of_memories(folder, run, meta)])
    _save_cost_figure(folder, run, meta)
    return "\n".join(to_text(table) for table in tables)


def _with_errata(scores: Scores, run: StoredRun, errata: Errata, meta: RunMeta) -> Table:
    applied = len(errata.applying_to(run.answers))
    corrected = score_answers(errata.corrected(run.answers), metrics=NEEDED_METRICS, manifest=run.manifest)
    return errata_table(scores, corrected, errata, applied, meta)


def _metrics(scoring: ScoringConfig) -> tuple[str, ...]:
    chosen = tuple(scoring.metrics) if scoring.metrics is not None else NAMES
    return (*chosen, "bertscore") if scoring.bertscore and "bertscore" not in chosen else chosen


def write_scores(path: Path, scores: Scores) -> None:
    """The frame of `Scores` as Parquet."""
    content = io.BytesIO()
    scores.frame.to_parquet(content, index=False)
    write_bytes(path, content.getvalue())


def write_tables(folder: Path, tables: Sequence[Table]) -> None:
    """All tables as `table.md`, `table.tex` and `table.html`, and one CSV each."""
    write_text(folder / "table.md", "\n".join(to_markdown(table) for table in tables))
    write_text(folder / "table.tex", "\n".join(to_latex(table) for table in tables))
    write_text(folder / "table.html", page(tables[0].title, tables))
    write_text(folder / "table.csv", to_csv(tables[0]))
    for stale in (folder / "tables").glob("*.csv"):
        stale.unlink()
    for table in tables[1:]:
        write_text(folder / "tables" / f"{table.key}.csv", to_csv(table))
