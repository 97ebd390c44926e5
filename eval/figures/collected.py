"""The jobs of a multirun in one figure: F1 by category, against the number that varies, or a row a setting."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from eval.datasets.categories import Category
from eval.figures.style import COLOURS, figure, save
from eval.multirun.collect import Collected
from eval.scoring.figures import Figure, by_category
from eval.scoring.scores import Protocol

Lines = dict[str, list[tuple[float, Figure]]]


def draw(path: Path, collected: Collected) -> list[Path]:
    """Writes `<path>.pdf` and `<path>.png`."""
    found = by_category(collected.scores, "f1_amem_set", Protocol.TRAP)
    present = [category for category in Category if any(figure.group == category for figure in found)]
    key = _number_that_varies(collected)
    rows = list(dict.fromkeys((f.backbone, f.method) for f in found))
    height = 2.6 if key else 1.0 + 0.25 * len(rows)
    with figure(len(present), height=height, width=1.5 * len(present) + (0 if key else 2)) as (made, panels):
        for category, axes in zip(present, [panels] if len(present) == 1 else panels, strict=True):
            own = [figure for figure in found if figure.group == category]
            axes.set_title(category.label)
            if key:
                _lines(axes, _by_number(own, collected, key), key)
                axes.set_ylabel("F1 ×100, 95%" if category is present[0] else "")
            else:
                _dots(axes, own, [_label(collected, *row) for row in rows], first=category is present[0])
        if key:
            handles = (panels if len(present) > 1 else [panels])[0].get_legend_handles_labels()
            made.legend(*handles, loc="outside lower center", ncols=3)
        return save(made, path)


def _number_that_varies(collected: Collected) -> str | None:
    """The one key that varies, if its values are numbers."""
    keys = list(next(iter(collected.values.values())))
    if len(keys) != 1:
        return None
    try:
        for values in collected.values.values():
            float(values[keys[0]])
    except ValueError:
        return None
    return keys[0]


def _by_number(figures: list[Figure], collected: Collected, key: str) -> Lines:
    lines: Lines = {}
    for each in figures:
        name = f"{collected.meta.backbone(each.backbone).label}, {collected.labels[each.method]}"
        lines.setdefault(name, []).append((float(collected.values[each.method][key]), each))
    return {name: sorted(points, key=lambda point: point[0]) for name, points in lines.items()}


def _lines(axes: Any, lines: Lines, key: str) -> None:
    for name, points in lines.items():
        numbers = [number for number, _ in points]
        axes.errorbar(numbers, [f.mean for _, f in points], yerr=_errors([f for _, f in points]), label=name, capsize=2)
        axes.set_xticks(numbers)
    axes.set(xlabel=key, ylim=(0, max(1.0, axes.get_ylim()[1])))


def _dots(axes: Any, figures: list[Figure], labels: list[str], *, first: bool) -> None:
    places = list(range(len(figures)))
    means = [each.mean for each in figures]
    axes.errorbar(means, places, xerr=_errors(figures), fmt="o", color=COLOURS[0], capsize=2)
    axes.set(yticks=places, xlabel="F1 ×100", ylim=(len(places) - 0.5, -0.5))
    axes.set_yticklabels(labels if first else [])


def _errors(figures: list[Figure]) -> list[list[float]]:
    """Distances of the interval's ends from the mean, shape (2, n); none where there is no interval."""
    spans = [(f.mean, f.interval) for f in figures]
    return [
        [max(0.0, mean - span.low) if span else 0.0 for mean, span in spans],
        [max(0.0, span.high - mean) if span else 0.0 for mean, span in spans],
    ]


def _label(collected: Collected, backbone: str, method: str) -> str:
    return f"{collected.meta.backbone(backbone).label}, {collected.meta.method(method).label}"
