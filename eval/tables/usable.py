"""How usable the replies were: what was mended, asked for again or of no use, by backbone and purpose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from eval.tables.meta import RunMeta
from eval.tables.table import Cell, Column, Row, Section, Table

ASKED_AGAIN = "asked_again"
_COLUMNS = tuple(Column("", name) for name in ("calls", "mended", "asked again", "of no use", "kinds"))


@dataclass(slots=True)
class Usable:
    """Of one purpose."""

    calls: int = 0
    mended: int = 0
    """Calls whose reply was repaired."""
    repairs: Counter[str] = field(default_factory=Counter)
    """By kind; a reply may need several."""
    failures: Counter[str] = field(default_factory=Counter)

    def book(self, call: Mapping[str, Any]) -> None:
        self.calls += 1
        self.mended += any(kind != ASKED_AGAIN for kind in call["repairs"])
        self.repairs.update(call["repairs"])
        self.failures.update([call["failure"]] if call["failure"] else [])


def usable_by_purpose(calls: Iterable[tuple[str, str, Mapping[str, Any]]]) -> dict[tuple[str, str], Usable]:
    """`calls`: backbone, method and the call as a run stores it. By backbone and purpose."""
    found: dict[tuple[str, str], Usable] = {}
    for backbone, _, call in calls:
        found.setdefault((backbone, call["purpose"]), Usable()).book(call)
    return dict(sorted(found.items()))


def usable_table(calls: Iterable[tuple[str, str, Mapping[str, Any]]], meta: RunMeta) -> Table:
    counted = usable_by_purpose(calls)
    sections = []
    for backbone in dict.fromkeys(backbone for backbone, _ in counted):
        rows = [_row(purpose, found) for (of, purpose), found in counted.items() if of == backbone]
        sections.append(Section(meta.backbone(backbone).label, tuple(rows)))
    return Table(
        key="replies",
        title="Replies: usable at once, mended, asked for again, or of no use",
        label="Purpose",
        columns=_COLUMNS,
        sections=tuple(sections),
        caption=f"Calls of all methods, of memories and of questions. Data: {meta.data}; run {meta.run}.",
        notes=(
            "mended: the reply's form was repaired (code fence, text around, syntax, cut off, type of a value); "
            "asked again: it was dropped and a second one asked for, which is a call of its own; of no use: the call "
            "ended as a failure.",
        ),
        records=tuple(_record(place, found) for place, found in counted.items()),
    )


def _row(purpose: str, found: Usable) -> Row:
    kinds = [f"{kind} {count}" for kind, count in sorted((found.repairs + found.failures).items())]
    counts = (found.calls, found.mended, found.repairs[ASKED_AGAIN], found.failures.total())
    return Row(purpose, (*(Cell(f"{count:,}") for count in counts), Cell(", ".join(kinds))))


def _record(place: tuple[str, str], found: Usable) -> dict[str, Any]:
    backbone, purpose = place
    return {
        "backbone": backbone,
        "purpose": purpose,
        "calls": found.calls,
        "mended": found.mended,
        "asked_again": found.repairs[ASKED_AGAIN],
        "of_no_use": found.failures.total(),
        "kinds": _row(purpose, found).cells[-1].text,
    }
