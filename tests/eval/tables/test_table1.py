"""Table 1: the paper's columns, ranks, marks, the paper's figures beside ours."""

from __future__ import annotations

import csv
import io
import math

import pytest

from eval.datasets.categories import Category
from eval.scoring.scores import score_answers
from eval.tables.csv_text import to_csv
from eval.tables.html import to_html
from eval.tables.latex import to_latex
from eval.tables.markdown import to_markdown
from eval.tables.meta import RunMeta
from eval.tables.paper import paper_table
from eval.tables.ranks import mean_ranks
from eval.tables.table import Mark, Table
from eval.tables.table1 import table1
from eval.tables.text import to_text
from tests.eval.scoring.made_answers import answer, answers, failed, manifest

METRICS = ("f1_amem_set", "bleu1")


def made(right: dict[str, float], *, extra: tuple = (), repeats: int = 1, **data: object) -> Table:
    rows = [*answers(right, repeats=repeats), *extra]
    meta = RunMeta.from_manifest(manifest(tuple(right), **data))
    return table1(score_answers(rows, metrics=METRICS), meta)


def row(table: Table, label: str) -> list[str]:
    return next([cell.text for cell in each.cells] for each in table.sections[0].rows if each.label == label)


def labels(table: Table) -> list[str]:
    return [each.label for each in table.sections[0].rows]


def test_columns_are_in_the_papers_order_with_both_adversarial_protocols() -> None:
    groups = list(dict.fromkeys(column.group for column in made({"amem": 1.0}).columns))
    expected = [category.label for category in Category][:-1]
    assert groups == [*expected, "Adversarial (trap)", "(abstain)", "Rank", ""]


def test_denominators_stand_under_every_figure() -> None:
    table = made({"amem": 1.0}, extra=(failed(question_id="one more", memory="amem-1-0"),))
    assert row(table, "n")[:11] == ["24"] * 11
    assert row(table, "failed")[6:8] == ["1", "1"]


def test_the_papers_row_stands_below_with_the_difference() -> None:
    table = made({"amem": 1.0})
    printed = paper_table("table1_locomo")[4]
    assert (printed["backbone"], printed["method"]) == ("gpt-4o-mini", "A-Mem")
    assert row(table, "paper")[0] == f"{printed['multi_hop_f1']:.2f}"
    assert row(table, "ours − paper")[0] == f"+{100 - printed['multi_hop_f1']:.2f}"


def test_a_method_that_the_paper_lacks_has_no_difference() -> None:
    assert "paper" not in labels(made({"rag": 1.0}))


def test_a_samples_table_has_no_row_of_the_paper_and_says_so() -> None:
    table = made({"amem": 1.0}, is_sample=True, comparable=False)
    assert "paper" not in labels(table)
    assert "cannot be compared with the paper" in table.caption
    assert not any("paper" in name and value is not None for name, value in table.records[0].items())


def test_a_clear_winner_is_best_and_a_narrow_one_leads() -> None:
    clear, narrow = made({"amem": 0.95, "locomo": 0.05}), made({"amem": 0.5, "locomo": 0.5})
    assert clear.sections[0].rows[0].cells[0].mark is Mark.BEST
    marks = {cell.mark for each in narrow.sections[0].rows for cell in each.cells}
    assert marks == {None, Mark.LEADING}


def test_a_method_that_stands_alone_is_not_marked() -> None:
    assert {cell.mark for each in made({"amem": 1.0}).sections[0].rows for cell in each.cells} == {None}


def test_where_all_tie_none_is_marked() -> None:
    table = made({"amem": 1.0, "locomo": 1.0})
    assert {cell.mark for each in table.sections[0].rows for cell in each.cells} == {None}


def test_abstention_is_marked_by_its_own_figures() -> None:
    table = made({"amem": 0.95, "locomo": 0.05})
    abstain = [each.cells[10] for each in table.sections[0].rows if each.label == "LoCoMo"]
    assert abstain[0].mark is Mark.BEST


def test_ranks_are_of_the_methods_present_and_the_note_names_them() -> None:
    table = made({"amem": 1.0, "rag": 0.0})
    assert (row(table, "A-Mem")[11], row(table, "Retrieval")[11]) == ("1.0", "2.0")
    assert any("rank among A-Mem, Retrieval" in note for note in table.notes)


def test_ties_share_their_mean_rank_and_unknown_figures_take_none() -> None:
    ranks = mean_ranks({"a": [2.0, 1.0], "b": [2.0, math.nan], "c": [1.0, 3.0], "d": [math.nan, math.nan]})
    assert ranks["a"] == (1.5 + 2) / 2
    assert ranks["b"] == 1.5
    assert ranks["c"] == (3 + 1) / 2
    assert math.isnan(ranks["d"])


def test_repeats_show_the_spread_of_seeds() -> None:
    assert "sd of seeds" in labels(made({"amem": 0.5}, repeats=3))
    assert "sd of seeds" not in labels(made({"amem": 0.5}))


def test_the_caption_names_data_model_prompts_k_seeds_and_n() -> None:
    caption = made({"amem": 1.0}).caption
    for part in ("locomo (6 conversations", "Tiny 1B", "small abcdef01", "retrieve k=10", "seeds: 0, 1, 2", "n = 120"):
        assert part in caption


def test_n_counts_answers_where_questions_were_asked_with_several_seeds_and_the_caption_says_so() -> None:
    table = made({"amem": 0.5}, repeats=3)
    assert "n: answers = 120 questions × 3 seeds, 360 answers in all" in table.caption
    assert row(table, "n")[0] == "72"


def test_an_interval_without_width_is_explained_and_only_where_one_stands() -> None:
    assert any("without width" in note for note in made({"amem": 1.0}).notes)
    assert not any("without width" in note for note in made({"amem": 0.5}).notes)


def test_marks_are_explained_where_they_stand() -> None:
    def explained(right: dict[str, float]) -> set[str]:
        return {start for note in made(right).notes for start in ("Bold:", "†:") if note.startswith(start)}

    assert explained({"amem": 0.95, "locomo": 0.05}) == {"Bold:"}
    assert explained({"amem": 0.5, "locomo": 0.5}) == {"†:"}
    assert explained({"amem": 1.0, "locomo": 1.0}) == set()


def test_the_papers_ranks_are_explained_where_a_row_of_the_paper_stands() -> None:
    def explained(**data: object) -> bool:
        return any("rank that the paper prints" in note for note in made({"amem": 0.5}, **data).notes)

    assert explained()
    assert not explained(is_sample=True, comparable=False)


def test_a_samples_table_is_not_headed_as_locomos() -> None:
    assert made({"amem": 1.0}).title.endswith("on LoCoMo")
    assert "sample of our own" in made({"amem": 1.0}, is_sample=True, comparable=False).title


def test_recalled_text_that_was_cut_to_the_window_is_told_with_its_share() -> None:
    recall = {"text_hash": "0", "tokens": 9, "sources": [], "trace": {"counts": {"context_truncated": 1}}}
    cut = answer(question_id="one more", memory="amem-1-0", recall=recall)
    assert any("A-Mem on Tiny 1B 1 of 121" in note for note in made({"amem": 1.0}, extra=(cut,)).notes)
    assert not any("window" in note for note in made({"amem": 1.0}).notes)


def test_csv_has_the_column_names_of_the_papers_file() -> None:
    (record,) = csv.DictReader(io.StringIO(to_csv(made({"amem": 1.0}))))
    assert paper_table("table1_locomo")[0].keys() <= record.keys()
    assert float(record["multi_hop_f1"]) == 100
    assert float(record["multi_hop_f1_difference"]) == pytest.approx(100 - 27.02)


def test_the_same_scores_give_the_same_bytes() -> None:
    first, second = made({"amem": 0.5, "locomo": 0.4}), made({"amem": 0.5, "locomo": 0.4})
    for form in (to_markdown, to_csv, to_latex, to_html, to_text):
        assert form(first) == form(second)
