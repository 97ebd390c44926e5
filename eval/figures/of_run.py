"""The figures of a run: of all that it has what they need for."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from eval.figures.against_f1 import evidence_against_f1, tokens_against_f1
from eval.figures.costs import cost_figure
from eval.figures.dialsim import dialsim_figures
from eval.figures.drawn import Drawn
from eval.figures.ksweep import ksweep_figure
from eval.figures.structure import Pictured, dialogues_of
from eval.figures.table1_bars import ablation_bars, table1_bars
from eval.figures.tsne import tsne
from eval.memories.stored import StoredMemory, stored_memories
from eval.scored import scored_run
from eval.scoring.absent import absent_memories, told
from eval.scoring.costs import method_costs
from eval.scoring.run_folder import StoredRun, read_run
from eval.scoring.scores import Scores
from eval.tables.meta import RunMeta
from eval.tables.table3 import ablations_alone


def scored(run: StoredRun) -> tuple[Scores, RunMeta]:
    """The scores that figures and reports need, and the names that go with them."""
    return scored_run(run).scores, RunMeta.from_manifest(run.manifest)


def run_figures(
    folder: Path, scores: Scores, run: StoredRun, memories: Sequence[StoredMemory], meta: RunMeta
) -> list[Drawn]:
    """`scores` of the run's answers with at least `f1_amem_set` and `bleu1`; all figures but figure 4.

    That of costs is left out where memories are absent.
    """
    shared = meta.shared_memories()
    whole = not absent_memories(folder, run.answers, shared)
    costs = [cost_figure(method_costs(run.answers, memories, shared), meta)] if whole else []
    if run.is_dialsim:
        return [*dialsim_figures(scores, meta), *costs]
    return [
        *([] if ablations_alone(scores.frame["method"].unique(), meta) else [table1_bars(scores, meta)]),
        *ablation_bars(scores, meta),
        *([ksweep_figure(scores, meta)] if meta.sweeps() else []),
        tokens_against_f1(scores, meta),
        evidence_against_f1(scores, meta),
        *costs,
    ]


def pictured(memories: Sequence[StoredMemory]) -> list[Pictured]:
    """The dialogues of figure 4; none where no memory holds notes enough. Drawn when they are first looked at."""
    return [Pictured(dialogue) for dialogue in dialogues_of(memories)]


def figures_of(folder: Path) -> list[Drawn]:
    """All figures of a run's folder; says on standard error what is left out of them."""
    run, memories = read_run(folder), list(stored_memories(folder))
    scores, meta = scored(run)
    if absent := absent_memories(folder, run.answers, meta.shared_memories()):
        print(told(absent), file=sys.stderr)
    drawn = pictured(memories)
    return [*run_figures(folder, scores, run, memories, meta), *([tsne(drawn)] if drawn else [])]
