"""Table 3 of the paper: A-Mem without link generation and memory evolution."""

from __future__ import annotations

from collections.abc import Collection, Iterable

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


def ablations_alone(methods: Collection[str], meta: RunMeta) -> bool:
    """Whether Table 3 holds all of `methods`: Table 1 would print the same figures again."""
    return 0 < len(methods) == len(_ablations(methods, meta))


def of_ablations(scores: Scores, meta: RunMeta) -> Scores | None:
    """The scores of A-Mem and its ablations (by `paper_row`); None where either is missing."""
    present = _ablations(scores.frame["method"].unique(), meta)
    return Scores(scores.frame[scores.frame["method"].isin(present)], scores.metrics) if present else None


def _ablations(methods: Iterable[str], meta: RunMeta) -> list[str]:
    rows = {row["method"] for row in paper_table("table3_ablation")}
    present = [name for name in methods if meta.method(name).paper_row in rows]
    named = {meta.method(name).paper_row for name in present}
    return present if WHOLE in named and len(named) > 1 else []
