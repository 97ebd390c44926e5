"""What a flip changed, from stored answers and memories."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from eval.__main__ import main
from eval.config import ScoringConfig
from eval.datasets.categories import Category
from eval.discrepancies.effects import Costs, Effect, effects
from eval.discrepancies.report import report_discrepancies
from eval.memories.cost import NoteCost, Spread
from eval.scoring.scores import score_answers
from eval.tables.table import Mark
from eval.tables.text import to_text
from tests.eval.scoring.made_answers import answer
from tests.support import WordEmbedder

QUESTIONS = 8


def cost(calls: float) -> NoteCost:
    return NoteCost(10, dict.fromkeys(("calls", "tokens", "seconds", "usd"), Spread(calls, None, None)), {})


def rows(method: str, *, right: bool, turn: str = "D1:1", calls: int = 1, tokens: int = 100) -> list[dict[str, Any]]:
    """Eight questions, each on a conversation of its own."""
    recall = {"text_hash": turn, "tokens": 20, "sources": [{"turn": turn, "derived": False}], "trace": {}}
    return [
        answer(
            method=method,
            memory=f"{method}-{place}",
            conversation=f"conv-{place}",
            question_id=f"conv-{place}/1",
            recall=recall,
            prompt_tokens=tokens,
            calls=[{}] * calls,
            **({} if right else {"prediction": "red kite"}),
        )
        for place in range(QUESTIONS)
    ]


def effect_of(*more: dict[str, Any]) -> tuple[Costs, Effect]:
    made = [*rows("amem_paper", right=False), *more]
    base, (effect,) = effects(
        score_answers(made, metrics=("f1_amem_set",)), made, {"amem_paper": cost(4), "flip_query": cost(3)}, "tiny"
    )
    return base, effect


def test_the_difference_is_the_flipped_variant_less_the_papers() -> None:
    _, effect = effect_of(*rows("flip_query", right=True))
    difference = effect.f1[str(Category.SINGLE_HOP)]
    gain = 1 - 2 / 5
    assert difference.mean == pytest.approx(gain)
    assert difference.interval == pytest.approx((gain, gain))
    assert difference.significant
    assert effect.f1["all"].mean == pytest.approx(gain)


def test_evidence_that_is_no_longer_recalled_is_a_loss() -> None:
    _, effect = effect_of(*rows("flip_query", right=False, turn="D9:9"))
    assert effect.recall is not None
    assert effect.recall.mean == -1
    assert (effect.recalls_changed, effect.answers_changed) == (1, 0)


def test_tokens_and_calls_are_differences_too() -> None:
    base, effect = effect_of(*rows("flip_query", right=False, calls=2, tokens=130))
    assert base == Costs(prompt_tokens=100, calls_a_question=1, calls_a_turn=4, tokens_a_turn=4)
    assert effect.costs == Costs(prompt_tokens=30, calls_a_question=1, calls_a_turn=-1, tokens_a_turn=-1)


def test_a_flip_without_effect_shows_none() -> None:
    _, effect = effect_of(*rows("flip_query", right=False))
    assert effect.f1["all"].mean == 0
    assert not effect.f1["all"].significant
    assert (effect.recalls_changed, effect.answers_changed) == (0, 0)


def test_the_command_runs_every_flip_and_writes_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("eval.runner.cells.SentenceTransformerEmbedder", lambda *_, **__: WordEmbedder())
    small = ["dataset=sample", "dataset.sessions=1", "dataset.questions=1"]
    assert main(["audit-discrepancies", "backbone=[scripted]", *small, f"results_dir={tmp_path}"]) == 0
    shown = capsys.readouterr().out
    (folder,) = tmp_path.glob("discrepancies-*")
    table = report_discrepancies(folder, ScoringConfig())
    assert to_text(table) in shown
    labels = [row.label for row in table.sections[0].rows if not row.minor]
    assert len(labels) == 1 + 14 + 2
    assert {len(row.cells) for row in table.sections[0].rows} == {len(table.columns)}
    assert {path.suffix for path in folder.glob("discrepancies.*")} == {".md", ".csv", ".tex", ".html"}
    assert all(cell.mark in (None, Mark.BEST) for row in table.sections[0].rows for cell in row.cells)
