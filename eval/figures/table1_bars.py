"""Grouped bars with intervals: F1 by category and method, as in Table 1, or by other groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from eval.datasets.categories import Category
from eval.figures.drawn import Drawn
from eval.figures.style import COLOURS
from eval.scoring.figures import Figure, by_category
from eval.scoring.scores import Protocol, Scores
from eval.tables.meta import RunMeta
from eval.tables.paper import table1_row, table3_row
from eval.tables.table1 import Published
from eval.tables.table3 import of_ablations

_HATCHES = ("", "///", "...", "xxx")
"""For methods beyond the colours."""
_GROUP = 0.84
"""Width of a group's bars together; groups are 1 apart."""


def table1_bars(
    scores: Scores,
    meta: RunMeta,
    *,
    key: str = "table1_bars",
    title: str = "F1 by category, with 95% intervals",
    published: Published = table1_row,
) -> Drawn:
    """One panel a backbone; adversarial questions under the trap protocol, as in the paper's columns.

    Diamonds are the paper's figures, for a backbone that it has and data that it used.
    """
    found = by_category(scores, "f1_amem_set", Protocol.TRAP)
    labels = {category.value: category.label for category in Category}
    return grouped_bars(key, title, found, labels, meta, published)


def grouped_bars(
    key: str,
    title: str,
    found: list[Figure],
    labels: Mapping[str, str],
    meta: RunMeta,
    published: Published | None = None,
) -> Drawn:
    """One panel a backbone; `labels` are the groups in order, with the words below their bars."""
    backbones = list(dict.fromkeys(figure.backbone for figure in found))

    def paint(made: Any, axes: Any) -> None:
        panels = list(axes) if len(backbones) > 1 else [axes]
        for panel, backbone in zip(panels, backbones, strict=True):
            _panel(panel, [f for f in found if f.backbone == backbone], labels, meta, published)
            panel.set_title(meta.backbone(backbone).label, loc="left", fontsize="medium")
        entries = {
            label: handle for panel in panels for handle, label in zip(*panel.get_legend_handles_labels(), strict=True)
        }
        made.legend(entries.values(), entries.keys(), loc="outside lower center", ncols=min(4, len(entries)))

    height = 2.8 if len(backbones) < 4 else 1.9
    return Drawn(key, title, _words(found, labels, meta), paint, rows=len(backbones), height=height)


def ablation_bars(scores: Scores, meta: RunMeta) -> list[Drawn]:
    """The same of A-Mem and its ablations alone, beside Table 3; none where the run lacks them."""
    own = of_ablations(scores, meta)
    title = "Table 3: F1 of A-Mem and its ablations, with 95% intervals"
    return [table1_bars(own, meta, key="ablation", title=title, published=table3_row)] if own else []


def _panel(
    axes: Any, found: list[Figure], labels: Mapping[str, str], meta: RunMeta, published: Published | None
) -> None:
    methods = list(dict.fromkeys(figure.method for figure in found))
    groups = [group for group in labels if any(f.group == group for f in found)]
    for place, method in enumerate(methods):
        own = [f for f in found if f.method == method]
        xs = _bars(axes, place, len(methods), groups, own, meta.method(method).label)
        if published is not None:
            _diamonds(axes, xs, own, meta, published)
    axes.set_xticks(range(len(groups)), [labels[group] for group in groups])
    axes.set_ylabel("F1 ×100")
    axes.set_ylim(bottom=0)
    axes.set_axisbelow(True)
    axes.grid(axis="x", visible=False)


def _diamonds(axes: Any, xs: list[float], own: list[Figure], meta: RunMeta, published: Published) -> None:
    row = published(meta.backbone(own[0].backbone).paper_row, meta.method(own[0].method).paper_row)
    if row is None or not meta.comparable or meta.is_sample:
        return
    values = [float(row[f"{f.group}_f1"]) for f in own]
    axes.plot(xs, values, "D", color="black", markerfacecolor="white", markersize=3.5, linestyle="", label="paper")


def _bars(axes: Any, place: int, methods: int, groups: list[str], own: list[Figure], label: str) -> list[float]:
    width = _GROUP / methods
    offset = (place + 0.5) * width - _GROUP / 2
    xs = [groups.index(f.group) + offset for f in own]
    axes.bar(
        xs,
        [f.mean for f in own],
        width * 0.92,
        color=COLOURS[place % len(COLOURS)],
        edgecolor="white",
        linewidth=0.4,
        hatch=_HATCHES[place // len(COLOURS) % len(_HATCHES)],
        label=label,
    )
    for x, figure in zip(xs, own, strict=True):
        if figure.interval:
            axes.plot([x, x], figure.interval, color="#444444", linewidth=0.9, marker="")
    return xs


def _words(found: list[Figure], labels: Mapping[str, str], meta: RunMeta) -> str:
    parts = [f"{meta.method(f.method).label}, {labels[f.group]}: {f.mean:.1f}" for f in found]
    return "Bars of F1 by group and method. " + "; ".join(parts)
