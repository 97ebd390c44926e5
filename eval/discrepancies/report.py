"""From the folder of an audit's run to its table."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from eval.config import ScoringConfig
from eval.discrepancies.effects import F1, effects
from eval.memories.cost import NoteCost, note_cost
from eval.memories.stored import stored_memories
from eval.runner.files import write_text
from eval.scoring.failures import check_failures
from eval.scoring.run_folder import read_run
from eval.scoring.scores import score_answers
from eval.tables.csv_text import to_csv
from eval.tables.discrepancies import discrepancies_table
from eval.tables.html import page
from eval.tables.latex import to_latex
from eval.tables.markdown import to_markdown
from eval.tables.meta import RunMeta
from eval.tables.table import Table


def report_discrepancies(folder: Path, scoring: ScoringConfig) -> Table:
    """Score the run and write `discrepancies.{md,csv,tex,html}` beside its answers."""
    run = read_run(folder)
    scores = score_answers(run.answers, metrics=(F1,), manifest=run.manifest)
    check_failures(scores, max_failure_share=scoring.max_failure_share, allow_failures=scoring.allow_failures)
    meta = RunMeta.from_manifest(run.manifest)
    found = {backbone: effects(scores, run.answers, _costs(folder, backbone), backbone) for backbone in meta.backbones}
    table = discrepancies_table(found, scores, meta)
    for suffix, content in {
        "md": to_markdown(table),
        "csv": to_csv(table),
        "tex": to_latex(table),
        "html": page(table.title, [table]),
    }.items():
        write_text(folder / f"discrepancies.{suffix}", content)
    return table


def _costs(folder: Path, backbone: str) -> dict[str, NoteCost]:
    memories = groupby(stored_memories(folder, backbone=backbone), lambda memory: memory.method)
    return {method: note_cost(found) for method, found in memories}
