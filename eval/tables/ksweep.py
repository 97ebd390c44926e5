"""Figure 3 as a table: scores by category for every k, and for a k that was chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from eval.datasets.categories import Category
from eval.scoring.choice_of_k import Chosen, SweptFigures, swept_figures
from eval.scoring.figures import Figure
from eval.scoring.scores import Scores
from eval.tables import captions, numbers
from eval.tables.layout import below, minor
from eval.tables.meta import RunMeta
from eval.tables.table import Cell, Column, Row, Section, Table

METRICS = {"f1": "f1_amem_set", "bleu1": "bleu1"}
HEADINGS = {"f1": "F1", "bleu1": "BLEU"}
BEST = "best k (on the test set)"
LEFT_OUT = "k of the other conversations"

BySection = dict[tuple[str, str], dict[str, SweptFigures]]
"""By backbone and method, and by key of `METRICS`."""


def ksweep_figures(scores: Scores, meta: RunMeta) -> BySection:
    """Of every swept method, in the order of the answers; empty where nothing was swept."""
    return {
        (str(backbone), family): {
            key: swept_figures(scores, str(backbone), by_k, metric) for key, metric in METRICS.items()
        }
        for backbone in scores.frame["backbone"].unique()
        for family, by_k in meta.sweeps().items()
    }


def ksweep_table(scores: Scores, meta: RunMeta) -> Table:
    """For a run with at least one swept method."""
    found = ksweep_figures(scores, meta)
    sections = [
        Section(f"{meta.backbone(backbone).label}, {sweep_label(family, meta)}", rows)
        for (backbone, family), swept in found.items()
        if (rows := tuple(_rows(backbone, family, swept, scores, meta)))
    ]
    return Table(
        key="ksweep",
        title="Figure 3: scores by the number of retrieved memories",
        label="k",
        columns=(*(Column(c.label, HEADINGS[key]) for c in Category for key in METRICS), Column("", "Tokens")),
        sections=tuple(sections),
        caption=captions.of_run("F1 over token sets and BLEU-1, ×100, adversarial ones against the trap", scores, meta),
        notes=(
            captions.intervals(scores),
            *captions.without_width(_shown(found)),
            f"{BEST}: by category the k with the highest score on these very questions. It flatters whoever chooses "
            "so, and is given because the paper's k by category seem to be chosen so. alike: these k share that score, "
            "and none of them is better.",
            f"{LEFT_OUT}: each conversation's questions scored at the k that is best on all other conversations, by "
            "category and metric. This is what choosing k may claim. Needs two conversations.",
            "The memory is built once and asked at every k. Tokens: mean length of the answering prompt.",
        ),
        records=tuple(_records(found)),
    )


def _shown(found: BySection) -> Iterator[Figure]:
    for swept in (figures for by_metric in found.values() for figures in by_metric.values()):
        yield from (figure for of_k in swept.fixed.values() for figure in of_k.values())
        yield from (each.figure for chosen in (swept.best, swept.left_out) for each in chosen.values())


def sweep_label(family: str, meta: RunMeta) -> str:
    """The method's label without its k."""
    name = next(iter(meta.sweeps()[family].values()))
    return meta.method(name).label.rpartition(", k = ")[0] or family


def _rows(
    backbone: str, family: str, swept: Mapping[str, SweptFigures], scores: Scores, meta: RunMeta
) -> Iterator[Row]:
    width = len(Category) * len(METRICS) + 1
    for k, method in sorted(meta.sweeps()[family].items()):
        figures = [swept[key].fixed[k].get(category) for category in Category for key in METRICS]
        frame = scores.frame
        tokens = frame[(frame["backbone"] == backbone) & (frame["method"] == method)]["prompt_tokens"].mean()
        yield Row(f"k = {k}", (*map(_mean, figures), Cell(numbers.whole(float(tokens)))))
        yield from below(figures, width)
    for label, chosen in ((BEST, [swept[k].best for k in METRICS]), (LEFT_OUT, [swept[k].left_out for k in METRICS])):
        picked = [by_category.get(category) for category in Category for by_category in chosen]
        if any(picked):
            figures = [each.figure if each else None for each in picked]
            yield Row(label, (*map(_mean, figures), Cell()))
            swept_ks = len(meta.sweeps()[family])
            yield minor("k", [_best_ks(each, swept_ks) if label == BEST else _ks(each) for each in picked], width)
            yield from below(figures, width)


def _mean(figure: Figure | None) -> Cell:
    return Cell(numbers.points(figure.mean) if figure else "")


def _ks(chosen: Chosen | None) -> str:
    """The one k, or the smallest and the largest that were chosen."""
    if chosen is None:
        return ""
    low, high = min(chosen.ks), max(chosen.ks)
    return str(low) if low == high else f"{low}–{high}"


def _best_ks(chosen: Chosen | None, swept: int) -> str:
    """The one k that is best of so many that were swept, or those that score alike."""
    if chosen is None or len(chosen.ks) == 1:
        return _ks(chosen)
    return "all alike" if len(chosen.ks) == swept else f"{', '.join(map(str, chosen.ks))} alike"


def _records(found: BySection) -> Iterator[dict[str, Any]]:
    for (backbone, family), swept in found.items():
        for k in next(iter(swept.values())).fixed:
            yield _record(backbone, family, str(k), {key: swept[key].fixed[k] for key in METRICS})
        for name in ("best", "left_out"):
            chosen: dict[str, Mapping[Category, Chosen]] = {key: getattr(swept[key], name) for key in METRICS}
            if not any(chosen.values()):
                continue
            record = _record(backbone, family, name, {
                key: {category: each.figure for category, each in by_category.items()}
                for key, by_category in chosen.items()
            })  # fmt: skip
            for key, by_category in chosen.items():
                record |= {f"{c}_{key}_k": " ".join(map(str, each.ks)) for c, each in by_category.items()}
            yield record


def _record(backbone: str, family: str, k: str, figures: Mapping[str, Mapping[Category, Figure]]) -> dict[str, Any]:
    record: dict[str, Any] = {"backbone": backbone, "method": family, "k": k}
    for key, by_category in figures.items():
        for category, figure in by_category.items():
            record |= captions.record(f"{category}_{key}", figure)
    return record
