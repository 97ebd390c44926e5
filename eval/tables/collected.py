"""The jobs of a multirun in one table."""

from __future__ import annotations

from dataclasses import replace

from eval.datasets.categories import Category
from eval.multirun.collect import Collected
from eval.scoring.figures import Overall, by_category, cells, overall
from eval.scoring.scores import Protocol
from eval.tables.layout import FigureColumn, figure_column, figure_table
from eval.tables.table import Table


def collected_table(collected: Collected) -> Table:
    """F1 by category and over the answerable questions; tokens are in the CSV."""
    scores = collected.scores
    table = figure_table(
        "collected",
        "All jobs",
        "F1 over token sets, ×100, adversarial questions against the trap",
        _columns(collected),
        scores,
        collected.meta,
        notes=(
            "Jobs that differ by their seed alone are one row; sd of seeds is between them.",
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


def _columns(collected: Collected) -> list[FigureColumn]:
    found = by_category(collected.scores, "f1_amem_set", Protocol.TRAP)
    columns = [
        figure_column(category.label, "F1", f"{category}_f1", own)
        for category in Category
        if (own := [figure for figure in found if figure.group == category])
    ]
    kind = Overall.QUESTIONS_ANSWERABLE
    over_all = [f for f in overall(collected.scores, "f1_amem_set", Protocol.TRAP) if f.group == kind]
    return [*columns, *([figure_column("Answerable", "F1", "answerable_f1", over_all)] if over_all else [])]
