"""Table 2: means per group, the constant answer, the paper beside, the doubts below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from amem.errors import ResultsError
from eval.dialsim.doubts import DOUBTS
from eval.dialsim.formats import AnswerFormat
from eval.dialsim.plan import Ask
from eval.dialsim.report import dialsim_tables
from eval.dialsim.scores import CONSTANT, METRICS, Group, IdkReference, reference, registered, score_dialsim
from eval.dialsim.table2 import table2
from eval.tables.markdown import to_markdown
from eval.tables.meta import Named, RunMeta
from eval.tables.table import Cell, Table
from tests.eval.dialsim import answers, shows

META = RunMeta(
    data="dialsim (harbour, 4 sessions)",
    is_sample=False,
    comparable=False,
    backbones={"tiny": Named("Tiny")},
    methods={"amem": Named("A-Mem"), "rag": Named("Retrieval")},
    prompts={},
)


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


def _records(table: Table) -> dict[tuple[str, str], dict[str, Any]]:
    return {(record["method"], record["group"]): dict(record) for record in table.records}


def test_means_are_over_the_answered_questions_of_a_group() -> None:
    found = _records(table2(_rows(), META, score=exact))
    answerable = sum(ask.answerable for ask in _asks())

    assert [found["amem", "overall"][name] for name in METRICS] == [100.0] * 6
    assert found["amem", "answerable"]["f1_amem_set_n"] == answerable
    assert found["amem", "unanswerable"]["f1_amem_set_n"] == len(_asks()) - answerable
    assert (found["rag", "overall"]["f1_amem_set_n"], found["rag", "overall"]["f1_amem_set_failed"]) == (1, 1)


def test_failed_calls_are_no_wrong_answers() -> None:
    frame = score_dialsim(_rows(), score=exact).frame

    failed = frame[frame["failure"].notna()]
    assert len(failed) == 1
    assert failed[["accuracy", "day_recall", *METRICS]].isna().all(axis=None)


def test_always_declining_is_right_exactly_where_nothing_can_be_known() -> None:
    found = _records(table2(_rows(), META, score=exact))

    assert found[CONSTANT, "unanswerable"]["f1_amem_set"] == found[CONSTANT, "unanswerable"]["accuracy"] == 100
    assert found[CONSTANT, "answerable"]["f1_amem_set"] == found[CONSTANT, "answerable"]["accuracy"] == 0
    assert found[CONSTANT, "overall"]["f1_amem_set_n"] == len(_asks())


def test_declining_is_asked_everything_that_any_method_was_asked() -> None:
    first, *others = _asks()
    rows = [answers.row(first, "x", method="rag"), *(answers.row(ask, "x") for ask in (first, *others))]
    found = _records(table2(rows, META, score=exact))
    assert found[CONSTANT, "overall"]["f1_amem_set_n"] == len(_asks())


@pytest.mark.parametrize(
    ("idk", "expected"),
    [(IdkReference.PHRASE, "I don't know."), (IdkReference.OPTION, shows.IDK), (IdkReference.EXCLUDED, None)],
)
def test_the_reference_of_what_can_not_be_known_is_a_switch(idk: IdkReference, expected: str | None) -> None:
    known, unknown = answers.ask(), answers.ask(answerable=False)

    assert reference(answers.row(unknown, "x"), idk) == expected
    assert reference(answers.row(known, "x"), idk) == known.options[known.correct]


def test_excluded_questions_are_in_no_group() -> None:
    found = _records(table2(_rows(), META, idk=IdkReference.EXCLUDED, score=exact))

    assert ("amem", "unanswerable") not in found
    assert found["amem", "overall"]["bleu1_n"] == found["amem", "answerable"]["bleu1_n"]


def test_where_all_is_excluded_there_is_no_table() -> None:
    with pytest.raises(ResultsError, match="nothing to score"):
        table2([answers.row(answers.ask(answerable=False), "x")], META, idk=IdkReference.EXCLUDED, score=exact)


def test_a_letter_is_scored_by_the_words_of_its_option() -> None:
    rows = [
        answers.row(a, f"({'ABCDE'[a.correct]})", answer_format=AnswerFormat.MULTI_CHOICE_STRUCTURED) for a in _asks()
    ]
    found = _records(table2(rows, META, idk=IdkReference.OPTION, score=exact))

    assert found["amem", "overall"]["bleu1"] == found["amem", "overall"]["accuracy"] == 100
    assert found[CONSTANT, "unanswerable"]["accuracy"] == 100


LIGHT = ("f1_amem_set", "bleu1", "rougeL_f", "rouge2_f")


def light(name: str, predictions: Sequence[str], references: Sequence[str]) -> list[float]:
    """The real metrics, without the two whose loading takes seconds."""
    return registered(name, predictions, references) if name in LIGHT else [0.0] * len(predictions)


def test_the_metrics_are_those_of_the_registry() -> None:
    one = replace(answers.ask(), answer="The bakery", options=("The bakery", "B", "C", "D", shows.IDK), correct=0)
    found = _records(table2([answers.row(one, "The bakery indeed")], META, score=light))["amem", "overall"]

    expected = {"f1_amem_set": 2 * 2 / 5, "bleu1": 2 / 3, "rougeL_f": 2 * 2 / 5, "rouge2_f": 2 * 1 / 3}
    assert {name: found[name] for name in LIGHT} == pytest.approx({name: 100 * v for name, v in expected.items()})


def test_the_papers_row_and_the_difference_stand_below_ours() -> None:
    text = to_markdown(table2(_rows(), META, score=exact))

    assert "| *paper* | 3.45 | 3.37 | 3.54 | 3.60 | 2.05 | 19.51 |  |  |" in text
    assert "| *ours − paper* | +96.55 | +96.63 | +96.46 | +96.40 | +97.95 | +80.49 |  |  |" in text
    assert text.count("*paper*") == 1


def test_nothing_of_the_paper_stands_beside_a_sample() -> None:
    text = to_markdown(table2(_rows(), replace(META, is_sample=True), score=exact))

    assert "*paper*" not in text
    assert "cannot be compared with the paper's" in text


def test_doubts_and_settings_are_printed_with_the_table() -> None:
    table = table2(_rows(), META, score=exact)

    assert [note for note in table.notes if note.startswith("Doubt")] == [
        f"Doubt {number}: {text}" for number, text in enumerate(DOUBTS, start=1)
    ]
    assert "version v1.1, names original, format open_ended, style short" in table.caption
    assert any('compared with "I don\'t know."' in note for note in table.notes)


def test_sections_are_backbones_by_group() -> None:
    table = table2(_rows(), META, score=exact)

    assert [section.heading for section in table.sections] == [f"Tiny: {group}" for group in Group]


def test_the_time_limits_are_a_table_of_their_own() -> None:
    asks = _asks()
    rows = [answers.row(ask, ask.reference, seconds=(2.0,)) for ask in asks]
    [_, limits] = dialsim_tables(rows, META, score=exact)

    assert [cell.text for cell in limits.sections[0].rows[0].cells][:4] == ["0.0", "0.00", "100.0", "100.00"]


def test_a_table_on_too_many_failures_is_refused() -> None:
    with pytest.raises(ResultsError, match="more than 5% of the questions failed for tiny/rag: 1 of 2"):
        dialsim_tables(_rows(), META, score=exact)
    assert dialsim_tables(_rows(), META, score=exact, max_failure_share=None)


def test_answers_of_different_settings_are_not_mixed() -> None:
    rows = _rows()
    rows[0] = rows[0] | {"dialsim": rows[0]["dialsim"] | {"names": "shuffle"}}

    with pytest.raises(ResultsError, match="one names are needed; found: original, shuffle"):
        table2(rows, META, score=exact)


def test_an_answer_that_stands_twice_is_refused() -> None:
    with pytest.raises(ResultsError, match="answered twice"):
        table2([*_rows(), _rows()[0]], META, score=exact)


def test_answers_to_something_else_are_refused() -> None:
    with pytest.raises(ResultsError, match="one version are needed; found: None"):
        table2([{"question_id": "conv-26/q1"}], META, score=exact)
    with pytest.raises(ResultsError, match="no answers"):
        table2([], META, score=exact)


def test_a_history_that_was_cut_to_the_window_is_told() -> None:
    ask = answers.ask()
    row = answers.row(ask, ask.reference)
    cut = {**row, "recall": {**row["recall"], "trace": {"counts": {"context_truncated": 1}}}}

    assert any("Cut to the backbone's window" in note for note in table2([cut], META, score=exact).notes)
    assert not any("backbone's window" in note for note in table2([row], META, score=exact).notes)


def test_no_method_leads_where_all_tie() -> None:
    ask = answers.ask()
    rows = [answers.row(ask, "no", method=method) for method in ("amem", "rag")]
    right = [answers.row(ask, ask.reference), answers.row(ask, "no", method="rag")]

    assert [cell.mark for cell in _cells(table2(rows, META, score=exact))] == [None] * 8
    assert _cells(table2(right, META, score=exact))[0].mark is not None


def _cells(table: Table) -> tuple[Cell, ...]:
    return table.sections[0].rows[0].cells
