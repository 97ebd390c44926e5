"""The jobs of a multirun in one figure: what its table shows, against the number that varies, or a row a setting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from eval.figures.style import COLOURS, LEAST_SPAN, figure, save
from eval.multirun.collect import Collected
from eval.multirun.measures import measures
from eval.scoring.figures import Figure

Lines = dict[str, list[tuple[float, Figure]]]
Place = tuple[str, str]
"""Backbone and row of the table."""


def draw(path: Path, collected: Collected) -> list[Path]:
    """Writes `<path>.pdf` and `<path>.png`."""
    present = [measure for measure in measures(collected) if measure.drawn]
    key = _number_that_varies(collected)
    rows = list(dict.fromkeys((f.backbone, f.method) for measure in present for f in measure.figures))
    height = 2.6 if key else 1.0 + 0.25 * len(rows)
    with figure(len(present), height=height, width=1.5 * len(present) + (0 if key else 2)) as (made, panels):
        shown = ""
        for measure, axes in zip(present, [panels] if len(present) == 1 else panels, strict=True):
            axes.set_title(measure.group)
            if key:
                _lines(axes, _by_number(measure.figures, collected, key), key)
                axes.set_ylabel("" if measure.heading == shown else f"{measure.heading} ×100, 95%")
                shown = measure.heading
            else:
                _dots(axes, {(f.backbone, f.method): f for f in measure.figures}, rows)
                axes.set_xlabel(f"{measure.heading} ×100")
                axes.set_yticklabels([_label(collected, *row) for row in rows] if measure is present[0] else [])
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


def _by_number(figures: Sequence[Figure], collected: Collected, key: str) -> Lines:
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
    axes.set(xlabel=key, ylim=(0, max(LEAST_SPAN, axes.get_ylim()[1])))


def _dots(axes: Any, figures: Mapping[Place, Figure], rows: Sequence[Place]) -> None:
    """A row that has no such questions stays empty."""
    places = [place for place, row in enumerate(rows) if row in figures]
    known = [figures[rows[place]] for place in places]
    axes.errorbar(
        [f.mean for f in known], places, xerr=_errors(known), fmt="o", color=COLOURS[0], capsize=2, clip_on=False
    )
    axes.set(yticks=range(len(rows)), ylim=(len(rows) - 0.5, -0.5))
    axes.set_xlim(min(0, axes.get_xlim()[0]), max(LEAST_SPAN, axes.get_xlim()[1]))


def _errors(figures: list[Figure]) -> list[list[float]]:
    """Distances of the interval's ends from the mean, shape (2, n); none where there is no interval."""
    spans = [(f.mean, f.interval) for f in figures]
    return [
        [max(0.0, mean - span.low) if span else 0.0 for mean, span in spans],
        [max(0.0, span.high - mean) if span else 0.0 for mean, span in spans],
    ]


def _label(collected: Collected, backbone: str, method: str) -> str:
    return f"{collected.meta.backbone(backbone).label}, {collected.meta.method(method).label}"
