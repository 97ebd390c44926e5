"""k chosen on the test set, and k chosen on the other conversations."""

from __future__ import annotations

from typing import Any

import pytest

from eval.datasets.categories import Category
from eval.scoring.choice_of_k import swept_figures
from eval.scoring.scores import Scores, score_answers
from eval.tables.ksweep import ksweep_table
from eval.tables.meta import RunMeta
from eval.tables.text import to_text
from tests.eval.scoring.made_answers import REFERENCE, answer, manifest

BY_K = {10: "amem@k10", 20: "amem@k20"}
METRICS = ("f1_amem_set", "f1_locomo", "bleu1")


def rows(right: dict[str, dict[int, int]], category: Category = Category.SINGLE_HOP) -> list[dict[str, Any]]:
    """`right`: by conversation and k, how many of four questions are answered right."""
    return [
        answer(
            method=BY_K[k],
            conversation=conversation,
            question_id=f"{conversation}/{category}{number}",
            category=str(category),
            prediction=REFERENCE if number < count else "no idea at all",
        )
        for conversation, counts in right.items()
        for k, count in counts.items()
        for number in range(4)
    ]


def scored(answers: list[dict[str, Any]]) -> Scores:
    return score_answers(answers, metrics=METRICS)


def meta() -> RunMeta:
    facts = manifest(methods=())
    facts["config"]["methods"] = {
        name: {"label": f"A-Mem, k = {k}", "swept": {"family": "amem", "k": k, "memory": "amem@k10"}}
        for k, name in BY_K.items()
    }
    facts["config"]["retrieve"] = {"k": 10, "sweep": [10, 20]}
    return RunMeta.from_manifest(facts)


def test_a_k_chosen_elsewhere_never_sees_the_conversation_that_it_is_scored_on() -> None:
    # 20 wins on b and c together by b alone, so without b the choice for c falls on 10.
    right = {"a": {10: 2, 20: 2}, "b": {10: 0, 20: 4}, "c": {10: 2, 20: 1}}
    figures = swept_figures(scored(rows(right)), "tiny", BY_K, "f1_amem_set")
    chosen = figures.left_out[Category.SINGLE_HOP]
    assert chosen.ks == (20, 10, 20)
    assert chosen.figure.mean == pytest.approx(100 * (2 + 0 + 1) / 12)
    assert chosen.figure.n == 12
    best = figures.best[Category.SINGLE_HOP]
    assert (best.ks, best.figure.mean) == ((20,), pytest.approx(100 * 7 / 12))


def test_the_best_k_is_never_beaten_by_a_fixed_one_and_ties_are_told() -> None:
    figures = swept_figures(scored(rows({"a": {10: 2, 20: 2}, "b": {10: 1, 20: 1}})), "tiny", BY_K, "bleu1")
    assert figures.best[Category.SINGLE_HOP].ks == (10, 20)
    assert figures.best[Category.SINGLE_HOP].figure.mean == max(
        of_k[Category.SINGLE_HOP].mean for of_k in figures.fixed.values()
    )


def test_one_conversation_has_no_others_to_choose_on() -> None:
    figures = swept_figures(scored(rows({"a": {10: 2, 20: 3}})), "tiny", BY_K, "f1_amem_set")
    assert figures.left_out == {}


def test_a_category_of_one_conversation_alone_is_left_out_of_the_choice() -> None:
    answers = rows({"a": {10: 2, 20: 3}, "b": {10: 2, 20: 3}}) + rows({"a": {10: 1, 20: 1}}, Category.TEMPORAL)
    figures = swept_figures(scored(answers), "tiny", BY_K, "f1_amem_set")
    assert set(figures.left_out) == {Category.SINGLE_HOP}
    assert set(figures.best) == {Category.SINGLE_HOP, Category.TEMPORAL}


def test_the_table_marks_the_k_that_was_chosen_on_the_test_set() -> None:
    text = to_text(ksweep_table(scored(rows({"a": {10: 2, 20: 3}, "b": {10: 2, 20: 1}})), meta()))
    assert "best k (on the test set)" in text and "k of the other conversations" in text
    assert "Tiny 1B, A-Mem\n" in text
    assert "retrieve k=10, 20" in text


@pytest.mark.parametrize(("counts", "shown"), [({10: 0, 20: 0}, "all alike"), ({10: 1, 20: 2}, "20")])
def test_no_k_is_printed_as_the_best_where_all_score_alike(counts: dict[int, int], shown: str) -> None:
    (section,) = ksweep_table(scored(rows({"a": counts})), meta()).sections
    place = next(place for place, row in enumerate(section.rows) if row.label.startswith("best k"))
    assert shown in {cell.text for cell in section.rows[place + 1].cells}
