"""What every table says of its run, in the same words."""

from __future__ import annotations

from typing import Any

from eval.scoring.figures import Figure, cells
from eval.scoring.scores import Scores
from eval.statistics.clusters import CONVERSATION, unit_of
from eval.tables.meta import RunMeta

FEW = 6
"""Conversations; drawing whole ones with replacement from fewer says less than is not known."""

MARKS = (
    "Bold: the best method of its backbone and column beats every other significantly (paired, clustered, Holm over "
    "all pairs of methods and categories, p < 0.05). †: it leads, but not significantly."
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
    frame = scores.frame
    failed = int(frame["failure"].notna().sum())
    text = f"n = {frame['question_id'].nunique():,} questions, {len(frame) - failed:,} answers"
    return text + (f" ({failed:,} failed and left out)" if failed else "")


def intervals(scores: Scores) -> str:
    number = scores.frame["conversation"].nunique()
    if unit_of(scores.frame) == CONVERSATION:
        few = "; of so few, it comes out too narrow" if number < FEW else ""
        return f"95%: percentile bootstrap over the {number} conversations, each drawn with all its questions{few}."
    return "95%: percentile bootstrap over questions: there is one conversation, so nothing is said of others."


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
    """Plain values of a figure, under column names that start with `name`."""
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
