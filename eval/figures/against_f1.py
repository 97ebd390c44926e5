"""F1 over all questions against what it took: tokens of the prompt, or evidence recalled."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from eval.figures.drawn import Drawn
from eval.figures.style import COLOURS, MARKERS
from eval.scoring.figures import Figure, Overall, cells, figure_of, overall
from eval.scoring.retrieval import OVERALL
from eval.scoring.scores import Protocol, Scores
from eval.tables.meta import RunMeta


@dataclass(frozen=True, slots=True)
class Point:
    backbone: str
    method: str
    place: int
    """Among the run's methods."""
    x: float
    x_interval: tuple[float, float] | None
    f1: Figure
    verbatim: float | None = None
    """Of evidence: x of what was recalled in its own words alone, where that is less."""


def tokens_against_f1(scores: Scores, meta: RunMeta) -> Drawn:
    """Mean length of the answering prompt against F1; a method that another beats in both is off the Pareto front."""
    points = _points(scores, "prompt_tokens", scale=1.0)
    front = sorted(pareto([(p.x, p.f1.mean) for p in points]))

    def paint(made: Any, axes: Any) -> None:
        from matplotlib.ticker import LogLocator, NullFormatter

        look = {"color": "#777777", "linewidth": 0.9, "linestyle": "--", "marker": "", "label": "Pareto front"}
        axes.step(*zip(*front, strict=True), where="post", **look)
        _scatter(made, axes, points, meta)
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.set_xlabel("tokens of the answering prompt, mean (log)")

    return Drawn("tokens_f1", "Tokens against F1, and the Pareto front", _words(points, meta, "tokens"), paint)


def evidence_against_f1(scores: Scores, meta: RunMeta) -> Drawn:
    """Share of the evidence that was recalled, verbatim or derived, against F1.

    A method that recalls less of it in the turns' own words has a hollow mark there.
    """
    points = _with_verbatim(_points(scores, "evidence_any_recall", scale=100.0), scores)
    apart = any(p.verbatim is not None for p in points)

    def paint(made: Any, axes: Any) -> None:
        _scatter(made, axes, points, meta)
        hollow = "\nhollow: in the turns' own words alone" if apart else ""
        axes.set_xlabel(f"evidence recalled, verbatim or derived, %{hollow}")

    title = "Evidence recalled, verbatim or derived, against F1"
    return Drawn("evidence_f1", title, _words(points, meta, "% of the evidence, verbatim or derived"), paint)


def days_against_f1(scores: Scores, meta: RunMeta) -> Drawn:
    """The same of DialSim: share of the days with evidence of which some turn was recalled, verbatim or derived."""
    points = _points(scores, "day_recall", scale=100.0)

    def paint(made: Any, axes: Any) -> None:
        _scatter(made, axes, points, meta)
        axes.set_xlabel("days with evidence recalled, verbatim or derived, %")

    title = "Days with evidence recalled, verbatim or derived, against F1"
    return Drawn("evidence_f1", title, _words(points, meta, "% of the days with evidence"), paint)


def pareto(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Points that no other one matches or beats in both (less x, more y)."""
    return [p for p in set(points) if not any(q != p and q[0] <= p[0] and q[1] >= p[1] for q in points)]


def _points(scores: Scores, column: str, scale: float) -> list[Point]:
    overalls = overall(scores, "f1_amem_set", Protocol.TRAP)
    f1 = {(f.backbone, f.method): f for f in overalls if f.group == Overall.QUESTIONS}
    methods = list(scores.frame["method"].unique())
    found = []
    for place, rows in cells(scores):
        # Figures are ×100, which tokens must not be.
        across = figure_of(scores, rows, scores.frame[column] * scale / 100, group=OVERALL, metric=column)
        if not math.isnan(across.mean) and not math.isnan(f1[place].mean):
            found.append(Point(*place, methods.index(place[1]), across.mean, across.interval, f1[place]))
    return found


def _with_verbatim(points: list[Point], scores: Scores) -> list[Point]:
    own = {(p.backbone, p.method): p.x for p in _points(scores, "evidence_verbatim_recall", scale=100.0)}
    shares = [own.get((p.backbone, p.method)) for p in points]
    return [replace(p, verbatim=x) if x is not None and x < p.x else p for p, x in zip(points, shares, strict=True)]


def _scatter(made: Any, axes: Any, points: list[Point], meta: RunMeta) -> None:
    backbones = list(dict.fromkeys(p.backbone for p in points))
    for p in points:
        # By place among all methods: a method has its colour in every figure, shown there or not.
        place = p.place
        colour = COLOURS[place % len(COLOURS)]
        shape = place + place // len(COLOURS) if len(backbones) == 1 else backbones.index(p.backbone)
        marker = MARKERS[shape % len(MARKERS)]
        label = meta.method(p.method).label + (f", {meta.backbone(p.backbone).label}" if len(backbones) > 1 else "")
        for span, at in ((p.x_interval, "x"), (p.f1.interval, "y")):
            if span:
                line = (span, [p.f1.mean] * 2) if at == "x" else ([p.x] * 2, span)
                axes.plot(*line, color=colour, linewidth=1, alpha=0.6, marker="")
        axes.plot(p.x, p.f1.mean, marker, color=colour, markersize=7, linestyle="", label=label)
        if p.verbatim is not None:
            look = {"color": colour, "markersize": 7, "linestyle": "", "markerfacecolor": "none"}
            axes.plot(p.verbatim, p.f1.mean, marker, **look)
    for swept in _sweeps(points, meta):
        axes.plot([p.x for p in swept], [p.f1.mean for p in swept], color="#777777", linewidth=0.9, marker="", zorder=1)
    axes.set_ylabel("F1 ×100, all questions")
    made.legend(loc="outside right upper")


def _sweeps(points: list[Point], meta: RunMeta) -> list[list[Point]]:
    """The points of each swept method and backbone, by k."""
    found: dict[tuple[str, str], list[Point]] = {}
    for p in points:
        if family := meta.method(p.method).family:
            found.setdefault((p.backbone, family), []).append(p)
    return [sorted(own, key=lambda p: meta.method(p.method).k or 0) for own in found.values()]


def _words(points: list[Point], meta: RunMeta, unit: str) -> str:
    return "; ".join(
        f"{meta.method(p.method).label} ({p.backbone}): {p.x:.0f} {unit}"
        + ("" if p.verbatim is None else f" ({p.verbatim:.0f} % verbatim)")
        + f", F1 {p.f1.mean:.1f}"
        for p in points
    )
