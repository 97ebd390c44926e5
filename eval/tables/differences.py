"""Every pair of methods on the same questions: difference, interval and adjusted p-value."""

from __future__ import annotations

from math import isclose
from typing import Any

from eval.datasets.categories import Category
from eval.scoring.scores import Protocol, Scores
from eval.statistics.bootstrap import Interval
from eval.statistics.paired import Difference
from eval.tables import captions, numbers
from eval.tables.marks import paired_by_backbone
from eval.tables.meta import RunMeta
from eval.tables.table import Cell, Column, Mark, Row, Section, Table


def differences_table(scores: Scores, meta: RunMeta, metric: str = "f1_amem_set") -> Table:
    """Differences of `metric` between all pairs of methods, by category, under the trap protocol."""
    paired = paired_by_backbone(scores, metric, Protocol.TRAP)
    present = [category for category in Category if category in set(scores.frame["category"])]
    return Table(
        key="differences",
        title="Differences between methods on the same questions",
        label="Methods",
        columns=tuple(Column(category.label, name) for category in present for name in ("F1", "p")),
        sections=tuple(
            Section(meta.backbone(backbone).label, tuple(_rows(found, present, meta)))
            for backbone, found in paired.items()
        ),
        caption=captions.of_run("Difference in F1 over token sets, in points", scores, meta),
        notes=tuple(_notes(scores, [difference for found in paired.values() for difference in found])),
        records=tuple(_record(backbone, difference) for backbone, found in paired.items() for difference in found),
    )


def _notes(scores: Scores, found: list[Difference]) -> list[str]:
    p = (
        "p: t test of the paired differences with cluster-robust errors, adjusted by Holm over all pairs and "
        "categories of a backbone."
    )
    p += " Bold: p < 0.05." if any(difference.significant for difference in found) else ""
    p += " –: too few clusters to tell." if any(difference.p_holm is None for difference in found) else ""
    alike = any(difference.interval and _is_point(difference.interval) for difference in found)
    return [captions.intervals(scores), *([captions.NO_WIDTH] if alike else []), p]


def _is_point(span: Interval) -> bool:
    return isclose(span.low, span.high, abs_tol=1e-9)


def _rows(found: list[Difference], present: list[Category], meta: RunMeta) -> list[Row]:
    rows = []
    for first, second in dict.fromkeys((d.first, d.second) for d in found):
        by_group = {d.group: d for d in found if (d.first, d.second) == (first, second)}
        shown = [by_group.get(category) for category in present]
        label = f"{meta.method(first).label} − {meta.method(second).label}"
        rows += [
            Row(label, tuple(cell for d in shown for cell in _main(d))),
            Row("95%", tuple(cell for d in shown for cell in (Cell(_span(d)), Cell())), minor=True),
            Row("n", tuple(cell for d in shown for cell in (Cell(f"{d.n:,}" if d else ""), Cell())), minor=True),
        ]
    return rows


def _main(difference: Difference | None) -> tuple[Cell, Cell]:
    if difference is None:
        return Cell(), Cell()
    mark = Mark.BEST if difference.significant else None
    return Cell(numbers.signed(100 * difference.mean), mark), Cell(numbers.p_value(difference.p_holm))


def _span(difference: Difference | None) -> str:
    if difference is None or difference.interval is None:
        return "" if difference is None else numbers.UNKNOWN
    return f"{_whole(difference.interval.low)} to {_whole(difference.interval.high)}"


def _whole(value: float) -> str:
    return numbers.signed_whole(100 * value)


def _record(backbone: str, difference: Difference) -> dict[str, Any]:
    low, high = difference.interval or Interval(float("nan"), float("nan"))
    return {
        "backbone": backbone,
        "first": difference.first,
        "second": difference.second,
        "category": difference.group,
        "difference": 100 * difference.mean,
        "low": 100 * low,
        "high": 100 * high,
        "p": difference.p,
        "p_holm": difference.p_holm,
        "n": difference.n,
    }
