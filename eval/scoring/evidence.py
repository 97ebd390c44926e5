"""Evidence recall: how much of what an answer rests on was put before the reader.

Source: LoCoMo's retrieval recall (snap-research/locomo 3eb6f2c, task_eval/evaluation.py), with two differences: text
that was *derived* from a turn (a gist, a summary) is counted apart from the turn itself, and a question without
evidence has no recall, where LoCoMo gives it 1.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from amem.contract import Source
from eval.runner.sources import sources_of

KINDS = ("verbatim", "derived", "any")
CUTS = (5, 10, 25, 50)
"""LoCoMo's cut-offs for retrieved turns."""

_NAN = float("nan")


def columns() -> list[str]:
    """Names of all figures of a question, in the order in which they are stored."""
    return [f"evidence_{kind}_{figure}" for kind in KINDS for figure in (*_recall_names(), "precision")]


def evidence_figures(evidence: Sequence[str], recall: Mapping[str, Any] | None) -> dict[str, float]:
    """Recall overall and at each cut, and precision, for each kind; NaN where undefined (no evidence, no recall).

    A cut of k looks at the k most relevant turns of its kind, each turn counted once.
    """
    if not evidence or recall is None:
        return dict.fromkeys(columns(), _NAN)
    sources = list(sources_of(recall))
    figures: dict[str, float] = {}
    for kind in KINDS:
        turns = _turns(sources, kind)
        values = [_share(evidence, turns), *(_share(evidence, turns[:k]) for k in CUTS), _precision(evidence, turns)]
        names = [f"evidence_{kind}_{figure}" for figure in (*_recall_names(), "precision")]
        figures.update(zip(names, values, strict=True))
    return figures


def _recall_names() -> list[str]:
    return ["recall", *(f"recall_at_{k}" for k in CUTS)]


def _turns(sources: Sequence[Source], kind: str) -> list[str]:
    wanted = [source.turn_id for source in sources if kind == "any" or source.derived == (kind == "derived")]
    return list(dict.fromkeys(wanted))


def _share(evidence: Sequence[str], turns: Collection[str]) -> float:
    found = set(turns)
    return sum(turn in found for turn in evidence) / len(evidence)


def _precision(evidence: Sequence[str], turns: Sequence[str]) -> float:
    return sum(turn in set(evidence) for turn in turns) / len(turns) if turns else _NAN
