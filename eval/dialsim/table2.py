"""A-Mem's Table 2: text metrics on DialSim beside the paper's, answerable and unanswerable questions apart."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from amem.errors import ResultsError
from eval.dialsim.formats import AnswerFormat, words_of
from eval.dialsim.plan import UNKNOWN
from eval.dialsim.scoring import Accuracy, Judge, Row, accuracy, day_recall
from eval.metrics.registry import metric

COLUMNS = {
    "f1_amem_set": ("F1", "f1"),
    "bleu1": ("BLEU-1", "bleu1"),
    "rougeL_f": ("ROUGE-L", "rougeL"),
    "rouge2_f": ("ROUGE-2", "rouge2"),
    "meteor": ("METEOR", "meteor"),
    "sbert_similarity": ("SBERT", "sbert"),
}
"""By metric, in the paper's order: the heading, and the column of results/paper/table2_dialsim.csv."""

PAPER_FILE = Path(__file__).parents[2] / "results" / "paper" / "table2_dialsim.csv"
CONSTANT = f'always "{UNKNOWN}"'

Scorer = Callable[[str, Sequence[str], Sequence[str]], list[float]]
"""(metric, predictions, references) → one score a pair."""


class IdkReference(StrEnum):
    """What an answer to a question that can't be answered is compared with; the paper does not say."""

    PHRASE = "phrase"
    """"I don't know.", DialSim's gold of the text formats."""
    OPTION = "option"
    """The fifth option's text, the `answer` that the data stores."""
    EXCLUDED = "excluded"
    """Nothing: such questions are left out."""


class Group(StrEnum):
    OVERALL = "overall"
    ANSWERABLE = "answerable"
    UNANSWERABLE = "unanswerable"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table: a method (or the constant answer), a backbone, a group of questions."""

    backbone: str
    method: str
    paper_row: str | None
    group: Group
    scores: Mapping[str, float]
    """By metric, ×100; empty where the group has no answered question."""
    answered: int
    failed: int
    accuracy: Accuracy
    day_recall: float | None
    """Mean share of evidence days found; None where no answered question has evidence."""


@dataclass(frozen=True, slots=True)
class Label:
    """How a method is called, and which row of the paper's table it is."""

    text: str
    paper_row: str | None = None


@dataclass(frozen=True, slots=True)
class Table2:
    lines: tuple[Line, ...]
    paper: Mapping[str, Mapping[str, float]]
    """The paper's rows by name, then by metric."""
    idk: IdkReference
    shows: Mapping[str, int]
    """Questions asked by show."""
    facts: Mapping[str, str]
    """Version, names, format and style that all rows share."""
    judged: bool


def registered(name: str, predictions: Sequence[str], references: Sequence[str]) -> list[float]:
    """Scores by the metric of that name in `eval.metrics`."""
    return metric(name).scores(predictions, references, [""] * len(predictions))


def table2(
    rows: Iterable[Row],
    labels: Mapping[str, Label],
    *,
    idk: IdkReference = IdkReference.PHRASE,
    judge: Judge | None = None,
    score: Scorer = registered,
    paper_file: Path = PAPER_FILE,
) -> Table2:
    """The table over answer rows; `labels` by method name give the order.

    Every score is the mean over questions, ×100. Failed calls are counted and are in no mean. Raises ResultsError
    where rows are not of DialSim or of different settings.
    """
    rows = list(rows)
    facts = _shared_facts(rows)
    lines: list[Line] = []
    for backbone in dict.fromkeys(row["backbone"] for row in rows):
        of_backbone = [row for row in rows if row["backbone"] == backbone]
        for method, label in labels.items():
            of_method = [row for row in of_backbone if row["method"] == method]
            lines += _lines(backbone, label, of_method, idk, judge, score)
        lines += _lines(backbone, Label(CONSTANT), _constant(of_backbone), idk, judge, score)
    first = {row["question_id"]: row["dialsim"]["show"] for row in rows}
    shows = {show: list(first.values()).count(show) for show in dict.fromkeys(first.values())}
    return Table2(tuple(lines), read_paper(paper_file), idk, shows, facts, judged=judge is not None)


def reference(row: Row, idk: IdkReference) -> str | None:
    """What the row's prediction is compared with in words; None where it is left out."""
    extra = row["dialsim"]
    if extra["answerable"] or idk is IdkReference.OPTION:
        return extra["option"]
    return UNKNOWN if idk is IdkReference.PHRASE else None


def read_paper(path: Path) -> dict[str, dict[str, float]]:
    """The paper's rows by name, then by metric."""
    with path.open(newline="", encoding="utf-8") as file:
        return {
            row["method"]: {name: float(row[column]) for name, (_, column) in COLUMNS.items()}
            for row in csv.DictReader(file)
        }


def _shared_facts(rows: Sequence[Row]) -> dict[str, str]:
    if not rows:
        raise ResultsError("no answers to make Table 2 of")
    facts: dict[str, str] = {}
    for name in ("version", "names", "format", "style"):
        values = {row.get("dialsim", {}).get(name) for row in rows}
        if len(values) > 1 or None in values:
            found = ", ".join(sorted(map(str, values)))
            raise ResultsError(f"Table 2 needs answers to DialSim of one {name}; found: {found}")
        facts[name] = values.pop()
    return facts


def _lines(
    backbone: str, label: Label, rows: Sequence[Row], idk: IdkReference, judge: Judge | None, score: Scorer
) -> Iterator[Line]:
    for group in Group:
        chosen = [row for row in rows if _is_in(row, group) and reference(row, idk) is not None]
        answered = [row for row in chosen if row["prediction"] is not None]
        predictions = [_words(row) for row in answered]
        references = [reference(row, idk) or "" for row in answered]
        recalls = [found for row in answered if (found := day_recall(row)) is not None]
        yield Line(
            backbone=backbone,
            method=label.text,
            paper_row=label.paper_row,
            group=group,
            scores={n: _mean100(score(n, predictions, references)) for n in COLUMNS} if answered else {},
            answered=len(answered),
            failed=len(chosen) - len(answered),
            accuracy=accuracy(chosen, judge),
            day_recall=sum(recalls) / len(recalls) if recalls else None,
        )


def _is_in(row: Row, group: Group) -> bool:
    return group is Group.OVERALL or row["dialsim"]["answerable"] is (group is Group.ANSWERABLE)


def _words(row: Row) -> str:
    if row["dialsim"]["format"] == AnswerFormat.MULTI_CHOICE_STRUCTURED:
        return words_of(row["prediction"], row["dialsim"]["options"])
    return str(row["prediction"])


def _mean100(scores: Sequence[float]) -> float:
    return 100 * sum(scores) / len(scores)


def _constant(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The rows of one method, answered by declining throughout."""
    method = rows[0]["method"]
    blank: dict[str, Any] = {"recall": None, "calls": [], "failure": None}
    declined = "(E)" if rows[0]["dialsim"]["format"] == AnswerFormat.MULTI_CHOICE_STRUCTURED else UNKNOWN
    return [{**row, **blank, "prediction": declined} for row in rows if row["method"] == method]
