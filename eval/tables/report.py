"""All tables of a run: Table 1 first, or Table 3 in its place where that holds every method of the run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from eval.memories.building import Building
from eval.scoring.adversarial import constant_answers, option_use
from eval.scoring.answers import Answer
from eval.scoring.scores import Scores
from eval.scoring.token_use import Place
from eval.tables.adversarial import adversarial_table, answers_itself
from eval.tables.by_category import appendix, locomo_f1
from eval.tables.differences import differences_table
from eval.tables.evidence import evidence_by_category, evidence_table
from eval.tables.meta import RunMeta
from eval.tables.overall import overall_table
from eval.tables.table import Table
from eval.tables.table1 import table1
from eval.tables.table3 import ablations_alone, table3
from eval.tables.tokens import tokens_table

_OF_ADVERSARIAL = ("table1", "table3", "adversarial")


def report_tables(
    scores: Scores, answers: Iterable[Answer], meta: RunMeta, building: Mapping[Place, Building] | None = None
) -> list[Table]:
    """`scores` must come from `answers`, with at least `f1_amem_set`, `f1_locomo` and `bleu1`; `building` is what the
    run's memories took, where they are at hand."""
    answers = list(answers)
    tables = [
        *([] if ablations_alone(scores.frame["method"].unique(), meta) else [table1(scores, meta)]),
        *table3(scores, meta),
        locomo_f1(scores, meta),
        adversarial_table(scores, constant_answers(answers), meta),
        overall_table(scores, meta),
        evidence_table(scores, meta),
        evidence_by_category(scores, meta),
        tokens_table(scores, answers, meta, building),
    ]
    if scores.frame["method"].nunique() > 1:
        tables.append(differences_table(scores, meta))
    unheld = answers_itself(option_use(answers), meta)
    tables = [replace(t, notes=(*t.notes, *unheld)) if t.key in _OF_ADVERSARIAL else t for t in tables]
    return [*tables, *appendix(scores, meta)]
