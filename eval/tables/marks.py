"""Which figure leads its column, and whether it does so significantly."""

from __future__ import annotations

import math
from collections.abc import Mapping

from eval.scoring.figures import Figure
from eval.scoring.scores import Protocol, Scores
from eval.statistics.paired import Difference, differences
from eval.tables.table import Mark

Place = tuple[str, str, str]
"""(backbone, method, group) of a figure."""


def paired_by_backbone(scores: Scores, metric: str, protocol: Protocol) -> dict[str, list[Difference]]:
    """All pairs of methods in all categories, on a 0..1 scale; Holm's family is one backbone and one metric."""
    values = scores.values(metric, protocol)
    return {
        str(backbone): differences(rows, values) for backbone, rows in scores.answered.groupby("backbone", sort=False)
    }


def marks(figures: list[Figure], paired: Mapping[str, list[Difference]]) -> dict[Place, Mark]:
    """The mark of the highest figure of each backbone and group, as printed; none where all tie, or one stands alone.

    `Mark.BEST` where it beats every other method significantly, else `Mark.LEADING`, shared by figures that tie.
    """
    found: dict[Place, Mark] = {}
    for backbone, group in dict.fromkeys((figure.backbone, figure.group) for figure in figures):
        column = {f.method: round(f.mean, 2) for f in figures if (f.backbone, f.group) == (backbone, group)}
        known = {method: mean for method, mean in column.items() if not math.isnan(mean)}
        if len(known) < 2:
            continue
        leaders = [method for method, mean in known.items() if mean == max(known.values())]
        if len(leaders) == len(known):
            continue
        beaten = _beaten_by(leaders[0], [d for d in paired.get(backbone, []) if d.group == group])
        alone = len(leaders) == 1 and beaten >= known.keys() - set(leaders)
        found.update({(backbone, method, group): Mark.BEST if alone else Mark.LEADING for method in leaders})
    return found


def _beaten_by(method: str, compared: list[Difference]) -> set[str]:
    won = {d.second for d in compared if d.first == method and d.significant and d.mean > 0}
    return won | {d.first for d in compared if d.second == method and d.significant and d.mean < 0}
