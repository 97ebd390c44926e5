"""What the first view of the page shows: tables, figures, the ledger, failures, the manifest."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from eval.figures.of_run import run_figures
from eval.memories.stored import StoredMemory
from eval.report.ledger import Spent, spent_by_purpose
from eval.report.page import picture
from eval.scoring.scores import Scores
from eval.tables.meta import RunMeta
from eval.tables.table import Table


def overview(
    manifest: Mapping[str, Any],
    answers: Sequence[Mapping[str, Any]],
    memories: Sequence[StoredMemory],
    scores: Scores,
    tables: Sequence[Table],
) -> dict[str, Any]:
    meta = RunMeta.from_manifest(manifest)
    return {
        "data_line": manifest["data"]["line"].split("\n")[-1] if manifest["data"]["is_sample"] else meta.data,
        "is_sample": meta.is_sample,
        "licence": manifest["data"]["licence"],
        "tables": tables,
        "figures": [
            {"title": figure.title, "alt": figure.alt, "picture": picture(figure.svg())}
            for figure in run_figures(scores, meta)
        ],
        "ledger": list(_ledger(answers, memories)),
        "failures": _failures(answers),
        "manifest": json.dumps(manifest, indent=1, ensure_ascii=False, sort_keys=True),
        "parts": [],
    }


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


def _failures(answers: Sequence[Mapping[str, Any]]) -> list[tuple[str, str, str, int]]:
    """Backbone, method, kind and count: questions that have no answer, and calls that failed on the way."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for row in answers:
        if row["failure"]:
            counts[row["backbone"], row["method"], f"question: {row['failure']['kind']}"] += 1
        for call in row["calls"]:
            if call["failure"]:
                counts[row["backbone"], row["method"], f"call {call['purpose']}: {call['failure']}"] += 1
    return [(*cell, count) for cell, count in sorted(counts.items())]
