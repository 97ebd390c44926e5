"""Which answers of an earlier start stand, and which questions are asked again."""

from __future__ import annotations

from pathlib import Path

import pytest

from amem.contract import Question, Recall
from amem.lm.types import FailureKind, ModelFailure
from eval.datasets.categories import Category
from eval.datasets.types import QAItem
from eval.runner.answers import AnswerFile, Asked, answer_row

ASKED = Asked("tiny", "amem", "conv-1", "sample", seed=0, repeat=0, memory="m1")
ITEM = QAItem(Question("conv-1/q1", "What came?", "single_hop"), Category.SINGLE_HOP, "boat", None, ())
RECALL = Recall("The boat came.", (), 4)


def written(folder: Path, failure: ModelFailure | None = None) -> AnswerFile:
    """A file with one line, read back from the disk."""
    row = answer_row(
        ASKED,
        ITEM,
        prediction=None if failure else "a boat",
        failure=failure,
        recall=RECALL,
        calls=(),
        prompt_tokens=9,
        options=(),
    )
    AnswerFile(folder).append(row, RECALL.text)
    return AnswerFile(folder)


def test_an_answer_of_the_same_memory_stands(tmp_path: Path) -> None:
    assert written(tmp_path).reusable(ASKED.key(ITEM), "m1")


def test_an_answer_of_another_memory_is_asked_again(tmp_path: Path) -> None:
    assert not written(tmp_path).reusable(ASKED.key(ITEM), "m2")


def test_a_failure_is_asked_again(tmp_path: Path) -> None:
    failed = written(tmp_path, ModelFailure(FailureKind.SCHEMA, "no JSON"))
    assert not failed.reusable(ASKED.key(ITEM), "m1")


def test_an_answer_whose_recalled_text_is_gone_is_asked_again(tmp_path: Path) -> None:
    written(tmp_path)
    (tmp_path / "recalls.jsonl").write_text("")
    assert not AnswerFile(tmp_path).reusable(ASKED.key(ITEM), "m1")


@pytest.mark.parametrize("end", ['{"backbone": "ti', ""])
def test_half_a_line_of_a_killed_writer_is_dropped_and_the_rest_stands(tmp_path: Path, end: str) -> None:
    written(tmp_path)
    with (tmp_path / "answers.jsonl").open("a", encoding="utf-8") as file:
        file.write(end)
    again = AnswerFile(tmp_path)
    assert again.reusable(ASKED.key(ITEM), "m1")
    assert (tmp_path / "answers.jsonl").read_text("utf-8").endswith("}\n")
