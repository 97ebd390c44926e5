"""Table 1 of the paper: F1 and BLEU-1 by category, mean rank and tokens, ours beside the published figures."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from eval.datasets.categories import Category
from eval.scoring.figures import Figure, by_category, cells
from eval.scoring.scores import Protocol, Scores
from eval.tables import captions, numbers
from eval.tables.layout import below, minor
from eval.tables.marks import Place, marks, paired_by_backbone
from eval.tables.meta import RunMeta
from eval.tables.paper import PaperRow, table1_row
from eval.tables.ranks import mean_ranks
from eval.tables.table import Cell, Column, Mark, Row, Section, Table

METRICS = {"f1": "f1_amem_set", "bleu1": "bleu1"}
"""Column suffix in results/paper/table1_locomo.csv, and our metric of that name."""

ABSTAIN = "adversarial_abstain"

Published = Callable[[str | None, str | None], PaperRow | None]
"""The paper's row of a backbone and method, as the paper names them."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """One backbone and method: its figures by column name, the marks, and the paper's row."""

    backbone: str
    method: str
    figures: dict[str, Figure]
    marks: dict[str, Mark]
    ranks: dict[str, float]
    tokens: float
    paper: PaperRow | None
    nearest: PaperRow | None


def table1(
    scores: Scores,
    meta: RunMeta,
    *,
    key: str = "table1",
    title: str | None = None,
    published: Published = table1_row,
) -> Table:
    """Rows in the order of the answers; needs the metrics `f1_amem_set` and `bleu1`.

    A sample's table has no rows of the paper: invented data can't be held against it. Another table of the same
    columns gives its own `title` and `published` rows.
    """
    entries = _entries(scores, meta, published)
    sections = []
    for backbone in dict.fromkeys(entry.backbone for entry in entries):
        rows = [row for entry in entries if entry.backbone == backbone for row in _rows(entry, meta)]
        sections.append(Section(meta.backbone(backbone).label, tuple(rows)))
    return Table(
        key=key,
        title=title or _title(meta),
        label="Method",
        columns=_columns(),
        sections=tuple(sections),
        caption=captions.of_run("F1 over token sets (as in A-Mem's code) and BLEU-1, ×100, by category", scores, meta),
        notes=tuple(_notes(scores, meta, entries)),
        records=tuple(_record(entry) for entry in entries),
    )


def _title(meta: RunMeta) -> str:
    if meta.is_sample:
        return "Table 1's measures on a sample of our own, which is not LoCoMo"
    return "Table 1: question answering on LoCoMo"


def _entries(scores: Scores, meta: RunMeta, published: Published) -> list[_Entry]:
    figures: dict[tuple[str, str], dict[str, Figure]] = {place: {} for place, _ in cells(scores)}
    marked: dict[Place, Mark] = {}
    for suffix, metric in METRICS.items():
        found = by_category(scores, metric, Protocol.TRAP)
        marked |= _renamed(marks(found, paired_by_backbone(scores, metric, Protocol.TRAP)), suffix)
        for figure in found:
            figures[figure.backbone, figure.method][f"{figure.group}_{suffix}"] = figure
    abstained = [f for f in by_category(scores, METRICS["f1"], Protocol.ABSTAIN) if f.group == Category.ADVERSARIAL]
    paired = paired_by_backbone(_only_adversarial(scores), METRICS["f1"], Protocol.ABSTAIN)
    marked |= {(b, m, ABSTAIN): mark for (b, m, _), mark in marks(abstained, paired).items()}
    for figure in abstained:
        figures[figure.backbone, figure.method][ABSTAIN] = figure
    ranks = _ranks(figures)
    return [
        _Entry(
            backbone=backbone,
            method=method,
            figures=figures[backbone, method],
            marks={column: mark for (b, m, column), mark in marked.items() if (b, m) == (backbone, method)},
            ranks={suffix: ranks[suffix, backbone, method] for suffix in METRICS},
            tokens=float(rows["prompt_tokens"].mean()),
            paper=_paper_row(meta, meta.backbone(backbone).paper_row, method, published),
            nearest=_paper_row(meta, meta.backbone(backbone).paper_nearest, method, published),
        )
        for (backbone, method), rows in cells(scores)
    ]


def _renamed(marked: dict[Place, Mark], suffix: str) -> dict[Place, Mark]:
    return {(backbone, method, f"{group}_{suffix}"): mark for (backbone, method, group), mark in marked.items()}


def _only_adversarial(scores: Scores) -> Scores:
    return Scores(scores.frame[scores.frame["category"] == Category.ADVERSARIAL], scores.metrics)


def _ranks(figures: dict[tuple[str, str], dict[str, Figure]]) -> dict[tuple[str, str, str], float]:
    found = {}
    for suffix in METRICS:
        for backbone in dict.fromkeys(backbone for backbone, _ in figures):
            rows = {
                method: [_printed(own.get(f"{category}_{suffix}")) for category in Category]
                for (of, method), own in figures.items()
                if of == backbone
            }
            found.update({(suffix, backbone, method): rank for method, rank in mean_ranks(rows).items()})
    return found


def _printed(figure: Figure | None) -> float:
    return math.nan if figure is None else round(figure.mean, 2)


def _paper_row(meta: RunMeta, backbone: str | None, method: str, published: Published) -> PaperRow | None:
    if meta.is_sample or not meta.comparable:
        return None
    return published(backbone, meta.method(method).paper_row)


def _columns() -> tuple[Column, ...]:
    scored = [
        Column("Adversarial (trap)" if category is Category.ADVERSARIAL else category.label, name)
        for category in Category
        for name in ("F1", "BLEU")
    ]
    return (*scored, Column("(abstain)", "Acc."), Column("Rank", "F1"), Column("Rank", "BLEU"), Column("", "Tokens"))


def _names() -> list[str]:
    return [f"{category}_{suffix}" for category in Category for suffix in METRICS] + [ABSTAIN]


def _rows(entry: _Entry, meta: RunMeta) -> list[Row]:
    figures = [entry.figures.get(name) for name in _names()]
    means = [Cell(numbers.points(f.mean), entry.marks.get(name)) if f else Cell() for name, f in _zip(figures)]
    ends = [*(numbers.rank(entry.ranks[suffix]) for suffix in METRICS), numbers.whole(entry.tokens)]
    rows = [Row(meta.method(entry.method).label, (*means, *map(Cell, ends))), *below(figures, len(_columns()))]
    if entry.paper:
        return rows + _paper_rows(entry, entry.paper)
    return rows + (_nearest_row(entry.nearest) if entry.nearest else [])


def _nearest_row(paper: PaperRow) -> list[Row]:
    """The paper's figures of another backbone; a difference to them would mean nothing."""
    printed = [numbers.points(v) if (v := _paper_value(paper, name)) is not None else "" for name in _names()]
    ranks = [numbers.rank(r) if (r := _paper_value(paper, f"rank_{s}")) is not None else "" for s in METRICS]
    tokens = numbers.whole(_paper_value(paper, "token_length"))
    return [minor(f"paper, {paper['backbone']}", [*printed, *ranks, tokens], len(_columns()))]


def _paper_rows(entry: _Entry, paper: PaperRow) -> list[Row]:
    pairs = [(entry.figures.get(name), _paper_value(paper, name)) for name in _names()]
    ranks = [_paper_value(paper, f"rank_{suffix}") for suffix in METRICS]
    tokens = _paper_value(paper, "token_length")
    deltas = [numbers.signed(f.mean - value) if f and value is not None else "" for f, value in pairs]
    printed = [numbers.points(value) if value is not None else "" for _, value in pairs]
    ends = [*(numbers.rank(r) if r is not None else "" for r in ranks), numbers.whole(tokens)]
    token_delta = math.nan if tokens is None else entry.tokens - tokens
    width = len(_columns())
    return [
        minor("paper", [*printed, *ends], width),
        minor("ours − paper", [*deltas, "", "", numbers.signed_whole(token_delta)], width),
    ]


def _paper_value(paper: PaperRow, name: str) -> float | None:
    value = paper.get(name)
    return value if isinstance(value, float) else None


def _zip(figures: list[Figure | None]) -> list[tuple[str, Figure | None]]:
    return list(zip(_names(), figures, strict=True))


def _notes(scores: Scores, meta: RunMeta, entries: list[_Entry]) -> list[str]:
    names = dict.fromkeys(meta.method(entry.method).label for entry in entries)
    papers = any(entry.paper or entry.nearest for entry in entries)
    notes = [
        captions.intervals(scores),
        *captions.without_width(figure for entry in entries for figure in entry.figures.values()),
        *captions.marks_meant(mark for entry in entries for mark in entry.marks.values()),
        "Adversarial questions under both protocols: (trap) holds the reply against the tempting wrong answer, as "
        "A-Mem's code and so the paper's columns do, and falling for it scores; (abstain) is LoCoMo's: the share of "
        "replies that say that the conversation does not hold the answer.",
        f"Rank: mean over the categories (trap) of the rank among {', '.join(names)}, from the figures printed here, "
        "ties averaged"
        + ("; a row of the paper has the rank that the paper prints, among its own five." if papers else "."),
        "Tokens: mean length of the answering prompt in the o200k_base tokenizer.",
        *captions.cut_recalls(scores, meta),
    ]
    if any(entry.nearest and not entry.paper for entry in entries):
        notes.append(
            "The paper has no such backbone: its figures of the nearest one stand below ours for orientation, and no "
            "difference is given."
        )
    if any(entry.paper for entry in entries):
        notes.append(
            "ours − paper takes the published figure as exact (it was printed without an interval), so the interval "
            "of the difference is ours, moved."
        )
    return notes


def _record(entry: _Entry) -> dict[str, Any]:
    record: dict[str, Any] = {"backbone": entry.backbone, "method": entry.method}
    for name, figure in _zip([entry.figures.get(name) for name in _names()]):
        if figure:
            record |= captions.record(name, figure, _paper_value(entry.paper or {}, name))
    record |= {f"rank_{suffix}": entry.ranks[suffix] for suffix in METRICS}
    return record | {
        "token_length": entry.tokens,
        "token_length_paper": _paper_value(entry.paper or {}, "token_length"),
    }
