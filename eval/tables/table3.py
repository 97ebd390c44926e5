"""Table 3 of the paper: A-Mem without link generation and memory evolution."""

from __future__ import annotations

from eval.scoring.scores import Scores
from eval.tables.meta import RunMeta
from eval.tables.paper import paper_table, table3_row
from eval.tables.table import Table
from eval.tables.table1 import table1

WHOLE = "A-Mem"


def table3(scores: Scores, meta: RunMeta) -> list[Table]:
    """The table, where a run has A-Mem and at least one of its ablations; else none."""
    own = of_ablations(scores, meta)
    return [table1(own, meta, key="table3", title="Table 3: ablation of A-Mem", published=table3_row)] if own else []


def of_ablations(scores: Scores, meta: RunMeta) -> Scores | None:
    """The scores of A-Mem and its ablations (by `paper_row`); None where either is missing."""
    rows = {row["method"] for row in paper_table("table3_ablation")}
    present = [name for name in scores.frame["method"].unique() if meta.method(name).paper_row in rows]
    named = {meta.method(name).paper_row for name in present}
    if WHOLE not in named or len(named) < 2:
        return None
    return Scores(scores.frame[scores.frame["method"].isin(present)], scores.metrics)
