"""Table 2: means per group, the constant answer, the paper beside, the doubts below."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from amem.errors import ResultsError
from eval.dialsim.formats import AnswerFormat
from eval.dialsim.plan import Ask
from eval.dialsim.table2 import (
    COLUMNS,
    CONSTANT,
    Group,
    IdkReference,
    Label,
    Line,
    Table2,
    reference,
    registered,
    table2,
)
from eval.dialsim.table2_text import DOUBTS, csv_text, markdown
from tests.eval.dialsim import answers, shows

LABELS = {"amem": Label("A-Mem", "A-Mem"), "rag": Label("Retrieval")}


def exact(name: str, predictions: Sequence[str], references: Sequence[str]) -> list[float]:
    """Stands in for every metric: 1 where prediction and reference are equal."""
    return [float(p == r) for p, r in zip(predictions, references, strict=True)]


def _asks() -> list[Ask]:
    return list(answers.plan().asks())


def _rows(**options: Any) -> list[dict[str, Any]]:
    """Method `amem` is always right, `rag` declines once and fails once."""
    asks = _asks()
    right = [answers.row(ask, ask.reference, **options) for ask in asks]
    return [
        *right,
        answers.row(asks[0], "I don't know.", method="rag", **options),
        answers.row(asks[1], None, method="rag", **options),
    ]


def _lines(table: Table2) -> dict[tuple[str, Group], Line]:
    return {(line.method, line.group): line for line in table.lines}


def test_means_are_over_the_answered_questions_of_a_group() -> None:
    table = table2(_rows(), LABELS, score=exact)
    lines = _lines(table)
    answerable = sum(ask.answerable for ask in _asks())

    assert lines["A-Mem", Group.OVERALL].scores == dict.fromkeys(COLUMNS, 100.0)
    assert lines["A-Mem", Group.ANSWERABLE].answered == answerable
    assert lines["A-Mem", Group.UNANSWERABLE].answered == len(_asks()) - answerable
    assert (lines["Retrieval", Group.OVERALL].answered, lines["Retrieval", Group.OVERALL].failed) == (1, 1)
    assert table.shows == {"harbour": len(_asks())}


def test_always_declining_is_right_exactly_where_nothing_can_be_known() -> None:
    lines = _lines(table2(_rows(), LABELS, score=exact))

    assert lines[CONSTANT, Group.UNANSWERABLE].scores["f1_amem_set"] == 100
    assert lines[CONSTANT, Group.ANSWERABLE].scores["f1_amem_set"] == 0
    assert lines[CONSTANT, Group.OVERALL].answered == len(_asks())


@pytest.mark.parametrize(
    ("idk", "expected"),
    [(IdkReference.PHRASE, "I don't know."), (IdkReference.OPTION, shows.IDK), (IdkReference.EXCLUDED, None)],
)
def test_the_reference_of_what_can_not_be_known_is_a_switch(idk: IdkReference, expected: str | None) -> None:
    known, unknown = answers.ask(), answers.ask(answerable=False)

    assert reference(answers.row(unknown, "x"), idk) == expected
    assert reference(answers.row(known, "x"), idk) == known.options[known.correct]


def test_excluded_questions_are_in_no_group() -> None:
    lines = _lines(table2(_rows(), LABELS, idk=IdkReference.EXCLUDED, score=exact))

    assert lines["A-Mem", Group.UNANSWERABLE].answered == 0
    assert lines["A-Mem", Group.UNANSWERABLE].scores == {}
    assert lines["A-Mem", Group.OVERALL].answered == lines["A-Mem", Group.ANSWERABLE].answered


def test_a_letter_is_scored_by_the_words_of_its_option() -> None:
    rows = [
        answers.row(a, f"({'ABCDE'[a.correct]})", answer_format=AnswerFormat.MULTI_CHOICE_STRUCTURED) for a in _asks()
    ]
    lines = _lines(table2(rows, LABELS, idk=IdkReference.OPTION, score=exact))

    assert lines["A-Mem", Group.OVERALL].scores["bleu1"] == 100
    assert lines["A-Mem", Group.OVERALL].accuracy.share == 1
    assert lines[CONSTANT, Group.UNANSWERABLE].accuracy.share == 1


LIGHT = ("f1_amem_set", "bleu1", "rougeL_f", "rouge2_f")


def light(name: str, predictions: Sequence[str], references: Sequence[str]) -> list[float]:
    """The real metrics, without the two whose loading takes seconds."""
    return registered(name, predictions, references) if name in LIGHT else [0.0] * len(predictions)


def test_the_metrics_are_those_of_the_registry() -> None:
    one = replace(answers.ask(), answer="The bakery", options=("The bakery", "B", "C", "D", shows.IDK), correct=0)
    [line, *_] = table2([answers.row(one, "The bakery indeed")], LABELS, score=light).lines

    expected = {"f1_amem_set": 2 * 2 / 5, "bleu1": 2 / 3, "rougeL_f": 2 * 2 / 5, "rouge2_f": 2 * 1 / 3}
    assert {name: line.scores[name] for name in LIGHT} == pytest.approx({n: 100 * v for n, v in expected.items()})


def test_the_papers_row_and_the_difference_stand_below_ours() -> None:
    text = markdown(table2(_rows(), LABELS, score=exact))

    assert "| A-Mem, paper | not said | 3.45 | 3.37 | 3.54 | 3.60 | 2.05 | 19.51 |" in text
    assert "| A-Mem, difference |  | +96.55 | +96.63 |" in text
    assert "Retrieval, paper" not in text


def test_doubts_and_settings_are_printed_with_the_table() -> None:
    text = markdown(table2(_rows(), LABELS, score=exact))

    assert all(doubt in text for doubt in DOUBTS)
    assert 'compared with "I don\'t know."' in text
    assert "version v1.1, names original, format open_ended, style short" in text
    assert f"harbour ({len(_asks())} questions)" in text


def test_the_csv_holds_every_line() -> None:
    table = table2(_rows(), LABELS, score=exact)
    rows = list(csv.DictReader(io.StringIO(csv_text(table))))

    assert len(rows) == len(table.lines) == 9
    assert rows[0]["f1"] == "100.0000"
    assert (rows[0]["paper_f1"], rows[1]["paper_f1"]) == ("3.4500", "")


def test_answers_of_different_settings_are_not_mixed() -> None:
    rows = _rows()
    rows[0] = rows[0] | {"dialsim": rows[0]["dialsim"] | {"names": "shuffle"}}

    with pytest.raises(ResultsError, match="one names; found: original, shuffle"):
        table2(rows, LABELS, score=exact)


def test_answers_to_something_else_are_refused() -> None:
    with pytest.raises(ResultsError, match="answers to DialSim of one version; found: None"):
        table2([{"question_id": "conv-26/q1"}], LABELS, score=exact)
    with pytest.raises(ResultsError, match="no answers"):
        table2([], LABELS, score=exact)
