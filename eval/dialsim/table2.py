"""A-Mem's Table 2: text metrics on DialSim beside the paper's, answerable and unanswerable questions apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from eval.dialsim.doubts import DOUBTS
from eval.dialsim.scores import (
    CONSTANT,
    METRICS,
    Group,
    IdkReference,
    Scorer,
    always_declined,
    of_group,
    registered,
    score_dialsim,
    shared_facts,
)
from eval.dialsim.scoring import Judge, Row
from eval.scoring.figures import Figure, cells, figure_of
from eval.scoring.scores import Scores
from eval.statistics.paired import differences
from eval.tables import captions, numbers
from eval.tables.layout import below, minor
from eval.tables.marks import Place, marks
from eval.tables.meta import RunMeta
from eval.tables.paper import paper_table
from eval.tables.table import Cell, Column, Mark, Section, Table
from eval.tables.table import Row as TableRow

HEADINGS = {
    "f1_amem_set": "F1",
    "bleu1": "BLEU-1",
    "rougeL_f": "ROUGE-L",
    "rouge2_f": "ROUGE-2",
    "meteor": "METEOR",
    "sbert_similarity": "SBERT",
    "accuracy": "Accuracy",
    "day_recall": "Days",
}
PAPER_COLUMNS = dict(zip(METRICS, ("f1", "bleu1", "rougeL", "rouge2", "meteor", "sbert"), strict=True))
"""Columns of results/paper/table2_dialsim.csv by metric."""
PAPER_ROWS = {"amem": "A-Mem", "locomo": "LoCoMo", "memgpt": "MemGPT"}
"""Rows of the same file by method: nothing but paging gets MemGPT through a show of 340,000 tokens."""

IDK_WORDS = {
    IdkReference.PHRASE: 'compared with "I don\'t know."',
    IdkReference.OPTION: "compared with the text of the fifth option",
    IdkReference.EXCLUDED: "left out",
}
"""What becomes of questions that can't be answered."""
_DEFINITIONS = (
    "Accuracy: DialSim's own; {rule}. Days: share of the days that hold a question's evidence of which some turn was "
    "recalled; questions without an oracle or without evidence are left out.",
    "Questions that can't be answered are {idk} in the text metrics.",
)


@dataclass(frozen=True, slots=True)
class _Cells:
    """Figures and marks by (backbone, method, group), then by measure."""

    figures: Mapping[Place, Mapping[str, Figure]]
    marks: Mapping[tuple[Place, str], Mark]


def table2(
    answers: Iterable[Row],
    meta: RunMeta,
    *,
    idk: IdkReference = IdkReference.PHRASE,
    judge: Judge | None = None,
    score: Scorer = registered,
) -> Table:
    """Means over questions, ×100, with a section for each backbone and group; failed calls are in no mean.

    The paper's rows stand beside the overall figures of official data, never beside a sample's. Raises ResultsError
    for answers that can't be scored (`eval.dialsim.scores`).
    """
    answers = list(answers)
    facts = shared_facts(answers)
    scores = score_dialsim(answers, idk=idk, judge=judge, score=score)
    constant = score_dialsim(always_declined(answers), idk=idk, judge=None, score=score)
    found = _cells(scores, constant)
    rule = accuracy_rule(None if judge is None else getattr(judge, "name", "a model"))
    return Table(
        key="table2",
        title=_title(meta),
        label="Method",
        columns=tuple(Column("", heading) for heading in HEADINGS.values()),
        sections=tuple(_sections(found, meta)),
        caption=captions.of_run(_subject(facts), scores, meta),
        notes=(
            captions.intervals(scores),
            *captions.without_width(figure for own in found.figures.values() for figure in own.values()),
            *(text.format(rule=rule, idk=IDK_WORDS[idk]) for text in _DEFINITIONS),
            *(text.replace("categories", "groups") for text in captions.marks_meant(found.marks.values())),
            *captions.cut_recalls(scores, meta),
            *(f"Doubt {number}: {text}" for number, text in enumerate(DOUBTS, start=1)),
        ),
        records=tuple(_records(found, meta)),
    )


def accuracy_rule(judge: str | None) -> str:
    """What counts as right besides the reference itself; `judge` is the judge's name, None where there is none."""
    if judge is None:
        return "answers in words count only where they equal the reference, so that it is a lower bound"
    return f"answers in words that differ from the reference are judged by {judge}"


def _title(meta: RunMeta) -> str:
    return "Table 2's measures on a sample of our own, which is not DialSim" if meta.is_sample else "Table 2: DialSim"


def _subject(facts: Mapping[str, str]) -> str:
    settings = ", ".join(f"{name} {value}" for name, value in facts.items())
    return f"Settings: {settings}; scores ×100"


def _cells(scores: Scores, constant: Scores) -> _Cells:
    figures: dict[Place, dict[str, Figure]] = {}
    marked: dict[tuple[Place, str], Mark] = {}
    for group in Group:
        for part in (scores, constant):
            for (backbone, method), rows in cells(part):
                chosen = of_group(rows, group)
                if len(chosen):
                    figures[backbone, method, group] = {
                        name: figure_of(part, chosen, part.frame[name], group=group, metric=name) for name in HEADINGS
                    }
        marked |= _marks(scores, figures, group)
    return _Cells(figures, marked)


def _marks(
    scores: Scores, figures: Mapping[Place, Mapping[str, Figure]], group: Group
) -> dict[tuple[Place, str], Mark]:
    rows = of_group(scores.answered, group).assign(group=group.value)
    found: dict[tuple[Place, str], Mark] = {}
    for name in HEADINGS:
        known = rows[rows[name].notna()]
        paired = {str(b): differences(part, part[name], "group") for b, part in known.groupby("backbone", sort=False)}
        own = [by[name] for (_, method, of), by in figures.items() if of == group and method != CONSTANT]
        leading = marks(own, paired)
        # Where all methods tie (at nothing, mostly), none of them leads.
        ties = {b for b in paired if all((b, f.method, group) in leading for f in own if f.backbone == b)}
        found |= {(place, name): mark for place, mark in leading.items() if place[0] not in ties}
    return found


def _sections(found: _Cells, meta: RunMeta) -> Iterable[Section]:
    for backbone in dict.fromkeys(place[0] for place in found.figures):
        for group in Group:
            places = [place for place in found.figures if (place[0], place[2]) == (backbone, group)]
            rows = [row for place in places for row in _rows(place, found, meta)]
            if rows:
                yield Section(f"{meta.backbone(backbone).label}: {group}", tuple(rows))


def _rows(place: Place, found: _Cells, meta: RunMeta) -> list[TableRow]:
    figures = found.figures[place]
    means = [Cell(numbers.points(f.mean), found.marks.get((place, name))) for name, f in figures.items()]
    label = CONSTANT if place[1] == CONSTANT else meta.method(place[1]).label
    rows = [TableRow(label, tuple(means)), *below(list(figures.values()))]
    paper = _paper(place, meta)
    if not paper:
        return rows
    width = len(HEADINGS)
    printed = [numbers.points(paper[name]) for name in METRICS]
    deltas = [numbers.signed(figures[name].mean - paper[name]) for name in METRICS]
    return [*rows, minor("paper", printed, width), minor("ours − paper", deltas, width)]


def _paper(place: Place, meta: RunMeta) -> dict[str, float]:
    """The paper's row by metric; empty where there is none to stand beside."""
    name = PAPER_ROWS.get(place[1])
    if meta.is_sample or place[2] != Group.OVERALL or name is None:
        return {}
    row = next(row for row in paper_table("table2_dialsim") if row["method"] == name)
    return {metric: float(row[column]) for metric, column in PAPER_COLUMNS.items()}


def _records(found: _Cells, meta: RunMeta) -> Iterable[dict[str, Any]]:
    for place, figures in found.figures.items():
        backbone, method, group = place
        record: dict[str, Any] = {"backbone": backbone, "method": method, "group": str(group)}
        paper = _paper(place, meta)
        for name, figure in figures.items():
            record |= captions.record(name, figure, paper.get(name))
        yield record
