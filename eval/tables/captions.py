"""What every table says of its run, in the same words."""

from __future__ import annotations

from collections.abc import Iterable
from math import isclose
from typing import Any

from eval.scoring.figures import Figure, cells
from eval.scoring.scores import Scores
from eval.statistics.clusters import CONVERSATION, unit_of
from eval.tables.meta import RunMeta
from eval.tables.table import Mark

FEW = 6
"""Conversations; drawing whole ones with replacement from fewer says less than is not known."""

_TEST = "paired, clustered, Holm over all pairs of methods and categories, p < 0.05"
_MEANINGS = {
    Mark.BEST: f"Bold: the best method of its backbone and column beats every other significantly ({_TEST}).",
    Mark.LEADING: f"†: the best method of its backbone and column, but not significantly ({_TEST}).",
}

NO_WIDTH = (
    "An interval without width (0–0, 100–100): all that was drawn from scored alike, and a bootstrap can't know of "
    "what it never saw. It is no sign that the figure is exact."
)


def of_run(subject: str, scores: Scores, meta: RunMeta) -> str:
    """Caption that names data, backbones, prompt packs, settings, seeds and counts."""
    backbones = [str(name) for name in scores.frame["backbone"].unique()]
    packs = dict.fromkeys(meta.prompts[name] for name in backbones if name in meta.prompts)
    parts = [
        f"Data: {meta.data}",
        f"backbone: {', '.join(meta.backbone(name).label for name in backbones)}",
        f"prompts: {', '.join(packs)}" if packs else "",
        meta.settings,
        f"seeds: {', '.join(map(str, meta.seeds))}" if meta.seeds else "",
        counts(scores),
        f"run {meta.run}" if meta.run else "",
    ]
    warning = " Sample data of our own: these figures cannot be compared with the paper's." if meta.is_sample else ""
    return f"{subject}. {'; '.join(part for part in parts if part)}.{warning}"


def counts(scores: Scores) -> str:
    """What n counts: questions, or where they were asked more than once, the answers to them."""
    frame = scores.frame
    failed = int(frame["failure"].notna().sum())
    questions, times = frame["question_id"].nunique(), _times_asked(scores)
    text = f"n = {questions:,} questions" if times == "1" else f"n: answers = {questions:,} questions × {times} seeds"
    text += f", {len(frame) - failed:,} answers" + ("" if times == "1" else " in all")
    return text + (f" ({failed:,} failed and left out)" if failed else "")


def _times_asked(scores: Scores) -> str:
    """How often a method was asked the same question: once a seed."""
    times = scores.frame.groupby(["backbone", "method", "question_id"]).size()
    return str(times.max()) if times.nunique() == 1 else f"{times.min()}–{times.max()}"


def marks_meant(marks: Iterable[Mark | None]) -> list[str]:
    """What the marks of a table mean, of those that it shows."""
    shown = set(marks)
    return [meaning for mark, meaning in _MEANINGS.items() if mark in shown]


def intervals(scores: Scores) -> str:
    number = scores.frame["conversation"].nunique()
    if unit_of(scores.frame) == CONVERSATION:
        few = "; of so few, it comes out too narrow" if number < FEW else ""
        return f"95%: percentile bootstrap over the {number} conversations, each drawn with all its questions{few}."
    return "95%: percentile bootstrap over questions: there is one conversation, so nothing is said of others."


def without_width(figures: Iterable[Figure | None]) -> list[str]:
    """A note where an interval has no width; nothing where none is shown."""
    spans = [figure.interval for figure in figures if figure and figure.interval]
    if not any(isclose(span.low, span.high, abs_tol=1e-9) for span in spans):
        return []
    return [NO_WIDTH]


def cut_recalls(scores: Scores, meta: RunMeta) -> list[str]:
    """A note where recalled text was cut to the window, with how often; nothing where it never was."""
    cut = [
        f"{meta.method(method).label} on {meta.backbone(backbone).label} {rows['recall_cut'].sum():,} of {len(rows):,}"
        for (backbone, method), rows in cells(scores)
        if rows["recall_cut"].any()
    ]
    if not cut:
        return []
    return [
        f"Cut to the backbone's window before it was read, in questions: {'; '.join(cut)}. What was cut could not be "
        "answered from: these figures are the window's as much as the method's."
    ]


def record(name: str, figure: Figure, paper: float | None = None) -> dict[str, Any]:
    """Plain values of a figure, under column names that start with `name`; `<name>_n` counts answers, which are
    questions × seeds."""
    values: dict[str, Any] = {
        name: figure.mean,
        f"{name}_low": figure.interval and figure.interval.low,
        f"{name}_high": figure.interval and figure.interval.high,
        f"{name}_n": figure.n,
        f"{name}_failed": figure.failed,
    }
    if figure.repeat_sd is not None:
        values[f"{name}_sd"] = figure.repeat_sd
    if paper is not None:
        values |= {
            f"{name}_paper": paper,
            f"{name}_difference": figure.mean - paper,
            f"{name}_difference_low": figure.interval and figure.interval.low - paper,
            f"{name}_difference_high": figure.interval and figure.interval.high - paper,
        }
    return values
