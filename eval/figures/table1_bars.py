"""Table 1 as grouped bars: F1 by category and method, with intervals."""

from __future__ import annotations

from typing import Any

from eval.datasets.categories import Category
from eval.figures.drawn import Drawn
from eval.figures.style import COLOURS
from eval.scoring.figures import Figure, by_category
from eval.scoring.scores import Protocol, Scores
from eval.tables.meta import RunMeta

_HATCHES = ("", "///", "...", "xxx")
"""For methods beyond the colours."""
_GROUP = 0.84
"""Width of a category's bars together; categories are 1 apart."""


def table1_bars(scores: Scores, meta: RunMeta) -> Drawn:
    """One panel a backbone; adversarial questions under the trap protocol, as in the paper's columns."""
    found = by_category(scores, "f1_amem_set", Protocol.TRAP)
    backbones = list(dict.fromkeys(figure.backbone for figure in found))

    def paint(made: Any, axes: Any) -> None:
        panels = list(axes) if len(backbones) > 1 else [axes]
        for panel, backbone in zip(panels, backbones, strict=True):
            _panel(panel, [f for f in found if f.backbone == backbone], meta)
            panel.set_title(meta.backbone(backbone).label, loc="left", fontsize="medium")
        handles, labels = panels[0].get_legend_handles_labels()
        made.legend(handles, labels, loc="outside lower center", ncols=min(4, len(labels)))

    return Drawn("table1_bars", "F1 by category, with 95% intervals", _words(found, meta), paint, rows=len(backbones))


def _panel(axes: Any, found: list[Figure], meta: RunMeta) -> None:
    methods = list(dict.fromkeys(figure.method for figure in found))
    categories = [c for c in Category if any(f.group == c for f in found)]
    for place, method in enumerate(methods):
        _bars(
            axes, place, len(methods), categories, [f for f in found if f.method == method], meta.method(method).label
        )
    axes.set_xticks(range(len(categories)), [c.label for c in categories])
    axes.set_ylabel("F1 ×100")
    axes.set_ylim(bottom=0)
    axes.set_axisbelow(True)
    axes.grid(axis="x", visible=False)


def _bars(axes: Any, place: int, methods: int, categories: list[Category], own: list[Figure], label: str) -> None:
    width = _GROUP / methods
    offset = (place + 0.5) * width - _GROUP / 2
    xs = [categories.index(Category(f.group)) + offset for f in own]
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


def _words(found: list[Figure], meta: RunMeta) -> str:
    parts = [f"{meta.method(f.method).label}, {Category(f.group).label}: {f.mean:.1f}" for f in found]
    return "Bars of F1 by category and method. " + "; ".join(parts)
