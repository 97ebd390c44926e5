"""How usable the replies were: cut, mended, asked for again or of no use, by backbone and purpose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from amem.lm.reading import CUT, FILLED
from eval.tables.meta import RunMeta
from eval.tables.table import Cell, Column, Row, Section, Table

ASKED_AGAIN = "asked_again"
_CUT_OFF = "cut_off"
CUTS = frozenset({CUT, FILLED, _CUT_OFF})
"""Free text that ended at max_tokens, JSON with a string as long as its schema allows, JSON that ended too soon."""
_USED_AS_THEY_STAND = {ASKED_AGAIN, CUT, FILLED}
_COLUMNS = tuple(Column("", name) for name in ("calls", "cut", "mended", "asked again", "of no use", "kinds"))

Calls = Iterable[tuple[str, str, Mapping[str, Any]]]
"""Backbone, method and the call as a run stores it."""


@dataclass(slots=True)
class Usable:
    """Of one purpose."""

    calls: int = 0
    cut: int = 0
    """Calls whose reply ended at a limit."""
    mended: int = 0
    """Calls whose reply was repaired."""
    repairs: Counter[str] = field(default_factory=Counter)
    """By kind; a reply may need several."""
    failures: Counter[str] = field(default_factory=Counter)

    def book(self, call: Mapping[str, Any]) -> None:
        self.calls += 1
        self.cut += is_cut(call)
        self.mended += any(kind not in _USED_AS_THEY_STAND for kind in call["repairs"])
        self.repairs.update(call["repairs"])
        self.failures.update([call["failure"]] if call["failure"] else [])


def is_cut(call: Mapping[str, Any]) -> bool:
    return not CUTS.isdisjoint(call["repairs"])


def usable_by_purpose(calls: Calls) -> dict[tuple[str, str], Usable]:
    """By backbone and purpose."""
    found: dict[tuple[str, str], Usable] = {}
    for backbone, _, call in calls:
        found.setdefault((backbone, call["purpose"]), Usable()).book(call)
    return dict(sorted(found.items()))


def cut_replies(calls: Calls, meta: RunMeta) -> list[str]:
    """A note that names, by method, how many replies ended at a limit and in which calls; nothing where none did."""
    counted: dict[tuple[str, str], dict[str, Usable]] = {}
    for backbone, method, call in calls:
        counted.setdefault((backbone, method), {}).setdefault(call["purpose"], Usable()).book(call)
    backbones = {backbone for backbone, _ in counted}
    told = [
        meta.method(method).label
        + (f" on {meta.backbone(backbone).label} " if len(backbones) > 1 else " ")
        + ", ".join(f"{purpose} {n.cut:,} of {n.calls:,}" for purpose, n in sorted(purposes.items()) if n.cut)
        for (backbone, method), purposes in counted.items()
        if any(n.cut for n in purposes.values())
    ]
    if not told:
        return []
    return [
        f"Replies cut by max_tokens or by a length limit of their schema, and used as they stand: {'; '.join(told)}. "
        "These methods' figures rest on them."
    ]


def usable_table(calls: Calls, meta: RunMeta) -> Table:
    counted = usable_by_purpose(calls)
    sections = []
    for backbone in dict.fromkeys(backbone for backbone, _ in counted):
        rows = [_row(purpose, found) for (of, purpose), found in counted.items() if of == backbone]
        sections.append(Section(meta.backbone(backbone).label, tuple(rows)))
    return Table(
        key="replies",
        title="Replies: usable at once, cut, mended, asked for again, or of no use",
        label="Purpose",
        columns=_COLUMNS,
        sections=tuple(sections),
        caption=f"Calls of all methods, of memories and of questions. Data: {meta.data}; run {meta.run}.",
        notes=(
            "cut: the reply ended at max_tokens, or holds a string as long as its schema allows, and was used as it "
            "stands; one that came out at just that length counts too. A run of an older version of this program "
            "counts the former alone.",
            "mended: the reply's form was repaired (code fence, text around, syntax, cut off, type of a value); "
            "asked again: it was dropped and a second one asked for, which is a call of its own; of no use: the call "
            "ended as a failure.",
        ),
        records=tuple(_record(place, found) for place, found in counted.items()),
    )


def _row(purpose: str, found: Usable) -> Row:
    kinds = [f"{kind} {count}" for kind, count in sorted((found.repairs + found.failures).items())]
    counts = (found.calls, found.cut, found.mended, found.repairs[ASKED_AGAIN], found.failures.total())
    return Row(purpose, (*(Cell(f"{count:,}") for count in counts), Cell(", ".join(kinds))))


def _record(place: tuple[str, str], found: Usable) -> dict[str, Any]:
    backbone, purpose = place
    return {
        "backbone": backbone,
        "purpose": purpose,
        "calls": found.calls,
        "cut": found.cut,
        "mended": found.mended,
        "asked_again": found.repairs[ASKED_AGAIN],
        "of_no_use": found.failures.total(),
        "kinds": _row(purpose, found).cells[-1].text,
    }
