"""What is shown of each row of a multirun: the columns of its table, and the panels of its figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from eval.datasets.categories import Category
from eval.dialsim.scores import Group, of_group
from eval.multirun.collect import Collected
from eval.scoring.figures import Figure, Overall, by_category, cells, figure_of, overall
from eval.scoring.scores import Protocol, Scores

F1 = "f1_amem_set"


@dataclass(frozen=True, slots=True)
class Measure:
    group: str
    """Of the questions, as headings have it."""
    heading: str
    """What is measured of them."""
    name: str
    """In the CSV."""
    figures: Sequence[Figure]
    drawn: bool = True


def measures(collected: Collected) -> list[Measure]:
    """Those that any row has."""
    found = _locomo(collected.scores) if collected.dialsim is None else _dialsim(collected.scores)
    return [measure for measure in found if measure.figures]


def _locomo(scores: Scores) -> Iterator[Measure]:
    found = by_category(scores, F1, Protocol.TRAP)
    for category in Category:
        yield Measure(category.label, "F1", f"{category}_f1", [f for f in found if f.group == category])
    over_all = [f for f in overall(scores, F1, Protocol.TRAP) if f.group == Overall.QUESTIONS_ANSWERABLE]
    yield Measure("Answerable", "F1", "answerable_f1", over_all, drawn=False)


def _dialsim(scores: Scores) -> Iterator[Measure]:
    for group in Group:
        yield _of_group(scores, group, "accuracy", "Accuracy", f"{group}_accuracy")
    yield _of_group(scores, Group.ANSWERABLE, F1, "F1", "answerable_f1")


def _of_group(scores: Scores, group: Group, column: str, heading: str, name: str) -> Measure:
    parts = [of_group(rows, group) for _, rows in cells(scores)]
    figures = [figure_of(scores, rows, scores.frame[column], group=group, metric=column) for rows in parts if len(rows)]
    return Measure(group.capitalize(), heading, name, figures)
