"""What the first view of the page shows: tables, figures, the ledger, failures, the manifest."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from eval.figures.drawn import Drawn
from eval.memories.stored import StoredMemory
from eval.report.ledger import Spent, spent_by_purpose
from eval.report.page import picture
from eval.tables.html import to_html
from eval.tables.table import Table

MAIN = ("table1", "table2", "table3", "table4", "ksweep")
"""Tables that stand above the figures; the others unfold below."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What the first view is made of; a run that lacks one leaves it empty."""

    manifest: Mapping[str, Any]
    tables: Sequence[Table]
    figures: Sequence[Drawn]
    beside: Mapping[str, Table] = field(default_factory=dict)
    """The table that belongs to a figure, by the figure's key."""
    answers: Sequence[Mapping[str, Any]] = ()
    memories: Sequence[StoredMemory] = ()
    absent: Sequence[str] = ()
    """What can't be shown, a sentence each."""


def overview(parts: Parts) -> dict[str, Any]:
    data = parts.manifest["data"]
    config = parts.manifest["config"]
    labels = [{n: e["label"] for n, e in config.get(group, {}).items()} for group in ("backbones", "methods")]
    by_key = {table.key: table for table in parts.tables}
    main = [by_key[key] for key in MAIN if key in by_key] or list(parts.tables)
    return {
        "data_line": f"{data['name']} ({data['description']})",
        "is_sample": data["is_sample"],
        "licence": data["licence"],
        "absent": list(parts.absent),
        "tables": [_shown(table) for table in main],
        "more": [_shown(table) for table in parts.tables if table not in main],
        "figures": [_drawn(figure, parts.beside) for figure in parts.figures],
        "ledger": [(_named(place, labels), spent) for place, spent in _ledger(parts.answers, parts.memories)],
        "failures": [(_named(place, labels), count) for place, count in _failures(parts.answers)],
        "manifest": json.dumps(parts.manifest, indent=1, ensure_ascii=False, sort_keys=True),
        "parts": [],
    }


def _named(place: tuple[str, str, str], labels: Sequence[Mapping[str, str]]) -> tuple[str, str, str]:
    """Backbone and method as the tables call them, and what they are counted by."""
    backbone, method, kind = place
    return labels[0].get(backbone, backbone), labels[1].get(method, method), kind


def _shown(table: Table) -> dict[str, Any]:
    # Every text in it is escaped by the renderer.
    return {"key": table.key, "title": table.title, "html": Markup(to_html(table))}


def _drawn(figure: Drawn, beside: Mapping[str, Table]) -> dict[str, Any]:
    table = _shown(beside[figure.key]) if figure.key in beside else None
    words = {"key": figure.key, "title": figure.title, "alt": figure.alt}
    return words | {"picture": picture(figure.svg()), "table": table}


def _ledger(
    answers: Sequence[Mapping[str, Any]], memories: Sequence[StoredMemory]
) -> Iterator[tuple[tuple[str, str, str], dict[str, str]]]:
    calls = [(m.backbone, m.method, call) for m in memories for call in m.facts.get("calls", ())]
    calls += [(row["backbone"], row["method"], call) for row in answers for call in row["calls"]]
    for purpose, spent in spent_by_purpose(calls).items():
        yield purpose, _printed(spent)


def _printed(spent: Spent) -> dict[str, str]:
    usd = "unknown" if spent.usd is None else f"{spent.usd:.4f}"
    whole = {name: f"{getattr(spent, name):,}" for name in ("calls", "failed", "prompt_tokens", "completion_tokens")}
    return whole | {"seconds": f"{spent.seconds:,.1f}", "usd": usd}


def _failures(answers: Sequence[Mapping[str, Any]]) -> list[tuple[tuple[str, str, str], int]]:
    """Backbone, method and kind, with their count: questions that have no answer, and calls that failed on the way."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for row in answers:
        if row["failure"]:
            counts[row["backbone"], row["method"], f"question: {row['failure']['kind']}"] += 1
        for call in row["calls"]:
            if call["failure"]:
                counts[row["backbone"], row["method"], f"call {call['purpose']}: {call['failure']}"] += 1
    return sorted(counts.items())
