"""The jobs of a multirun in one table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eval.dialsim.scores import CONSTANT, Group
from eval.dialsim.table2 import IDK_WORDS, accuracy_rule
from eval.multirun.collect import Collected
from eval.multirun.dialsim import DialSimFacts
from eval.multirun.measures import measures
from eval.scoring.figures import cells
from eval.scoring.scores import Scores
from eval.tables import captions, numbers
from eval.tables.layout import figure_column, figure_table
from eval.tables.table import Table


def collected_table(collected: Collected) -> Table:
    """LoCoMo: F1 by category and over the answerable questions. DialSim: accuracy, and F1 of the answerable ones.

    Tokens are in the CSV.
    """
    scores = collected.scores
    table = figure_table(
        "collected",
        "All jobs",
        _subject(collected.dialsim),
        [figure_column(each.group, each.heading, each.name, each.figures) for each in measures(collected)],
        scores,
        collected.meta,
        notes=(
            "Jobs that differ by their seed alone are one row; sd of seeds is between them.",
            *(_dialsim_notes(collected, collected.dialsim) if collected.dialsim else ()),
            *(f"Not in the table: {job}: {job.error or 'not finished'}." for job in collected.missing),
        ),
    )
    tokens = {place: float(rows["prompt_tokens"].mean()) for place, rows in cells(scores)}
    records = [
        {
            **record,
            "method": collected.methods[str(record["method"])],
            **collected.values[str(record["method"])],
            "prompt_tokens": tokens[str(record["backbone"]), str(record["method"])],
        }
        for record in table.records
    ]
    return replace(table, records=tuple(records))


def _subject(dialsim: DialSimFacts | None) -> str:
    if dialsim is None:
        return "F1 over token sets, ×100, adversarial questions against the trap"
    settings = ", ".join(f"{name} {value}" for name, value in dialsim.settings.items())
    return (
        "DialSim's accuracy, and F1 over token sets of questions that can be answered, ×100; questions that can't be "
        f"are {IDK_WORDS[dialsim.idk]} (idk reference: {dialsim.idk}). Settings: {settings}"
    )


def _dialsim_notes(collected: Collected, facts: DialSimFacts) -> Sequence[str]:
    rules = " or ".join(accuracy_rule(judge) for judge in facts.judges)
    mixed = " Jobs differ in this: judge all of them or none." if len(facts.judges) > 1 else ""
    return (
        f"Accuracy: DialSim's own; {rules}.{mixed}",
        *_declining(collected.scores),
        *captions.cut_recalls(collected.scores, collected.meta),
    )


def _declining(scores: Scores) -> Sequence[str]:
    """The line to beat; each question counts once, whoever answered it."""
    asked = scores.frame.drop_duplicates(["conversation", "question_id", "seed"])
    share = 100 * float((asked["group"] == Group.UNANSWERABLE.value).mean())
    return (f"Overall accuracy of {CONSTANT}: {numbers.points(share)}.",) if share else ()
