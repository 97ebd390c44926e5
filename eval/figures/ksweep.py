"""Figure 3: F1 and BLEU-1 against k, a panel a category, with 95% intervals."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import numpy as np

from eval.datasets.categories import Category
from eval.figures.drawn import Drawn
from eval.figures.style import COLOURS, LEAST_SPAN
from eval.scoring.choice_of_k import SweptFigures
from eval.scoring.figures import Figure
from eval.scoring.scores import Scores
from eval.tables.ksweep import HEADINGS, METRICS, BySection, ksweep_figures, sweep_label
from eval.tables.meta import RunMeta

_COLUMNS = 3


def ksweep_figure(scores: Scores, meta: RunMeta) -> Drawn:
    """For a run with at least one swept method."""
    found = ksweep_figures(scores, meta)
    present = [
        category for category in Category if any(_of(category, s) for rows in found.values() for s in rows.values())
    ]
    columns = min(_COLUMNS, len(present))

    def paint(made: Any, axes: Any) -> None:
        panels = list(np.ravel(axes))
        for category, panel in zip(present, panels, strict=False):
            _panel(panel, category, found, meta)
        for spare in panels[len(present) :]:
            spare.remove()
        panels[0].set_ylabel("score ×100")
        made.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)

    return Drawn(
        "ksweep",
        "Figure 3: scores by the number of retrieved memories, with 95% intervals",
        _words(found, present, meta),
        paint,
        columns=columns,
        rows=-(-len(present) // columns),
        height=2.1,
    )


def _of(category: Category, swept: SweptFigures) -> dict[int, Figure]:
    return {k: figures[category] for k, figures in swept.fixed.items() if category in figures}


def _panel(axes: Any, category: Category, found: BySection, meta: RunMeta) -> None:
    axes.set_title(category.label, fontsize="medium")
    axes.set_xlabel("k")
    for colour, (place, swept) in zip(cycle(COLOURS), found.items(), strict=False):
        for key, style in zip(METRICS, ("-", "--"), strict=True):
            label = f"{_name(place, found, meta)}{HEADINGS[key]}"
            _line(axes, _of(category, swept[key]), label=label, color=colour, linestyle=style)
    axes.set_ylim(0, max(LEAST_SPAN, axes.get_ylim()[1]))


def _name(place: tuple[str, str], found: BySection, meta: RunMeta) -> str:
    """As much of backbone and method as tells the lines apart."""
    backbones, families = ({part[i] for part in found} for i in (0, 1))
    parts = [meta.backbone(place[0]).label] if len(backbones) > 1 else []
    parts += [sweep_label(place[1], meta)] if len(families) > 1 else []
    return ", ".join(parts) + (": " if parts else "")


def _line(axes: Any, by_k: dict[int, Figure], **look: Any) -> None:
    ks, figures = list(by_k), list(by_k.values())
    axes.plot(ks, [f.mean for f in figures], **look)
    spans = [(k, f.interval) for k, f in zip(ks, figures, strict=True) if f.interval]
    if spans:
        low, high = [i.low for _, i in spans], [i.high for _, i in spans]
        axes.fill_between([k for k, _ in spans], low, high, color=look["color"], alpha=0.12, linewidth=0)
    axes.set_xticks(ks)


def _words(found: BySection, present: list[Category], meta: RunMeta) -> str:
    parts = [
        f"{meta.backbone(backbone).label}, {sweep_label(family, meta)}, {category.label}: "
        + ", ".join(f"k = {k} {figure.mean:.1f}" for k, figure in _of(category, swept["f1"]).items())
        for (backbone, family), swept in found.items()
        for category in present
    ]
    return f"Lines of F1 and BLEU-1 against k by category. F1: {'; '.join(parts)}."
