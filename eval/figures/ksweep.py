"""Figure 3: F1 and BLEU-1 against k, a panel a category, with 95% intervals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from eval.datasets.categories import Category
from eval.figures.style import figure, save
from eval.scoring.figures import Figure
from eval.scoring.scores import Scores
from eval.tables.ksweep import HEADINGS, METRICS, ksweep_figures
from eval.tables.meta import RunMeta


def draw(path: Path, scores: Scores, meta: RunMeta) -> list[Path]:
    """Writes `<path>.pdf` and `<path>.png`; for a run with at least one swept method."""
    found = ksweep_figures(scores, meta)
    with figure(len(Category), height=2.5, width=11.0) as (made, panels):
        for category, axes in zip(Category, panels, strict=True):
            axes.set(title=category.label, xlabel="k")
            for (backbone, family), swept in found.items():
                for key in METRICS:
                    by_k = {k: figures[category] for k, figures in swept[key].fixed.items() if category in figures}
                    name = f"{meta.backbone(backbone).label}, {family}: " if len(found) > 1 else ""
                    _line(axes, by_k, name + HEADINGS[key])
            axes.set_ylim(0, max(1.0, axes.get_ylim()[1]))
        panels[0].set_ylabel("score ×100")
        made.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
        return save(made, path)


def _line(axes: Any, by_k: dict[int, Figure], label: str) -> None:
    ks, figures = list(by_k), list(by_k.values())
    (line,) = axes.plot(ks, [f.mean for f in figures], label=label)
    spans = [(k, f.interval) for k, f in zip(ks, figures, strict=True) if f.interval]
    if spans:
        low, high = [i.low for _, i in spans], [i.high for _, i in spans]
        axes.fill_between([k for k, _ in spans], low, high, color=line.get_color(), alpha=0.15, linewidth=0)
    axes.set_xticks(ks)
