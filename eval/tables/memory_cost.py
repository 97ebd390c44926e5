"""Cost of a memory operation beside the figures of the paper's section 4.4."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from eval.memories.cost import QUANTITIES, NoteCost, Spread
from eval.tables import numbers
from eval.tables.meta import RunMeta
from eval.tables.paper import paper_table
from eval.tables.table import Cell, Column, Row, Section, Table

_SHOWN: Mapping[str, tuple[str, Callable[[float | None], str]]] = {
    "calls": ("Calls", numbers.points),
    "tokens": ("Tokens", numbers.whole),
    "seconds": ("Seconds", numbers.points),
    "usd": ("USD", lambda value: numbers.UNKNOWN if value is None else f"{value:.6f}"),
}


def memory_cost_table(costs: Mapping[tuple[str, str], NoteCost], meta: RunMeta) -> Table:
    """`costs` by (backbone, method). A sample's table has no rows of the paper."""
    backbones = dict.fromkeys(backbone for backbone, _ in costs)
    sections = [
        Section(
            meta.backbone(backbone).label,
            tuple(_row(meta.method(m).label, cost) for (b, m), cost in costs.items() if b == backbone),
        )
        for backbone in backbones
    ]
    if meta.comparable and not meta.is_sample:
        sections.append(Section("Paper, section 4.4", tuple(_paper_rows())))
    return Table(
        key="memory-cost",
        title="Cost of a memory operation: taking in one turn",
        label="Method",
        columns=(
            Column("", "Turns"),
            *(Column(_SHOWN[quantity][0], name) for quantity in QUANTITIES for name in ("mean", "median", "95th")),
        ),
        sections=tuple(sections),
        caption=f"All calls that built the memories. Data: {meta.data}; {meta.settings}; run {meta.run}.",
        notes=(
            "Tokens: prompt and completion, as the backbone counts. Seconds: what its replies took, one after the "
            "other; embedding and search not included. USD: at the prices of the run's configuration.",
            "Median and 95th percentile are over turns; –: the method does not say for which turn a call was made.",
        ),
        records=tuple(_record(place, cost) for place, cost in costs.items()),
    )


def _row(label: str, cost: NoteCost) -> Row:
    cells = [numbers.whole(cost.notes)]
    for quantity in QUANTITIES:
        spread, show = cost.spreads[quantity], _SHOWN[quantity][1]
        cells += [show(spread.mean), show(spread.median), show(spread.p95)]
    return Row(label, tuple(map(Cell, cells)))


def _paper_rows() -> Iterator[Row]:
    rows = paper_table("memory_operation")
    for backbone in dict.fromkeys(str(row["backbone"]) for row in rows):
        cells = [""]
        for quantity in QUANTITIES:
            value = next((r["value"] for r in rows if (r["backbone"], r["quantity"]) == (backbone, quantity)), None)
            cells += [_SHOWN[quantity][1](value) if isinstance(value, float) else "", "", ""]
        yield Row(f"A-Mem, {backbone}", tuple(map(Cell, cells)))


def _record(place: tuple[str, str], cost: NoteCost) -> dict[str, object]:
    record: dict[str, object] = {"backbone": place[0], "method": place[1], "turns": cost.notes}
    for quantity in QUANTITIES:
        spread: Spread = cost.spreads[quantity]
        record |= {quantity: spread.mean, f"{quantity}_median": spread.median, f"{quantity}_p95": spread.p95}
    return record | {f"calls_{purpose}": count for purpose, count in cost.by_purpose.items()}
