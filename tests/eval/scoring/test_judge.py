"""The optional judge: what it is asked, what is kept, and how far it agrees."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from amem.errors import ConfigurationError, ResultsError
from amem.lm.types import FailureKind, ModelFailure, Request
from amem.prompting.pack import PromptPack
from eval.composition import compose
from eval.config import ScoringConfig
from eval.judging import judge_run
from eval.reporting import report_run
from eval.scoring.judge import FILE_NAME, Judgement, Strictness, judge_answers, write_judgements
from eval.statistics.agreement import between, within
from tests.eval.scoring.made_answers import REFERENCE, answer, answers, failed, manifest, write_run
from tests.support import DEFAULT_PACK, scripted_model

QUICK = ScoringConfig(metrics=["f1_amem_set", "f1_locomo", "bleu1"])
PACK = PromptPack(DEFAULT_PACK)


def verdict(correct: bool) -> str:
    return json.dumps({"verdict": "correct" if correct else "wrong"})


def judged(rows: list[dict], script: Callable[[Request], str | ModelFailure], attempts: int = 1) -> list[Judgement]:
    with scripted_model(script) as lm:
        return judge_answers(rows, lm, PACK, label="Scripted", attempts=attempts)


def by_match(request: Request) -> str:
    return verdict(request.messages[-1].content.count(REFERENCE) == 2)


def test_the_judge_sees_question_reference_and_prediction_and_nothing_else() -> None:
    asked: list[str] = []
    judged(
        [answer(prediction="a red ship")], lambda request: asked.append(request.messages[-1].content) or verdict(True)
    )
    assert len(asked) == 2
    assert set(asked) == {f"Question: What flew?\n\nRight answer: {REFERENCE}\n\nAnswer to mark: a red ship"}


def test_strict_and_lenient_are_different_words() -> None:
    asked: list[str] = []
    judged([answer()], lambda request: asked.append(request.messages[0].content) or verdict(True))
    assert len(set(asked)) == 2


def test_failures_and_adversarial_questions_are_not_judged() -> None:
    rows = [failed(), answer(category="adversarial", question_id="2")]
    assert judged(rows, lambda _: verdict(True)) == []


def test_a_judge_that_fails_gives_no_verdict() -> None:
    (first, _) = judged([answer()], lambda _: ModelFailure(FailureKind.REFUSAL, "no"))
    assert (first["correct"], first["failure"]) == (None, "refusal")


def test_verdicts_stand_beside_f1_with_their_agreement(tmp_path: Path) -> None:
    rows = answers({"amem": 0.7, "locomo": 0.3})
    folder = write_run(tmp_path / "run", rows, manifest())
    write_judgements(folder, judged(rows, by_match, attempts=2))
    shown = report_run(folder, QUICK)
    assert "Verdicts of a judge" in shown
    assert shown.count("100.0, 1.00") == 4
    assert f"Judge: Scripted, prompts default {PACK.hash[:8]}; 2 verdicts an answer; 0 of" in " ".join(shown.split())


def test_without_judgements_nothing_is_said_of_a_judge(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", answers({"amem": 0.7}), manifest(("amem",)))
    assert "judge" not in report_run(folder, QUICK).lower()


def test_verdicts_on_other_answers_are_refused(tmp_path: Path) -> None:
    rows = [answer()]
    folder = write_run(tmp_path / "run", rows, manifest(("amem",)))
    write_judgements(folder, judged(rows, by_match))
    write_run(folder, [answer(prediction="something new")], manifest(("amem",)))
    with pytest.raises(ResultsError, match="has changed since it was judged"):
        report_run(folder, QUICK)


def test_the_command_builds_the_judge_from_a_backbone(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", [answer()], manifest(("amem",)))
    overrides = ["backbone=[scripted]", "scoring.metrics=[f1_amem_set,f1_locomo,bleu1]"]
    assert "Verdicts of a judge" in judge_run(folder, compose(overrides), attempts=1, strictness="strict")
    (kept,) = [json.loads(line) for line in (folder / FILE_NAME).read_text("utf-8").splitlines()]
    assert kept["strictness"] == Strictness.STRICT


def test_a_judge_is_one_backbone(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", [answer()], manifest(("amem",)))
    with pytest.raises(ConfigurationError, match="a judge is one backbone, not 2"):
        judge_run(folder, compose(["backbone=[scripted,embedded]"]), attempts=1, strictness="both")


def test_agreement_is_chance_corrected_and_undefined_where_all_is_one() -> None:
    assert within([[True, True], [False, False]]) == (1.0, 1.0, 2)
    assert within([[True, True], [True, True]]) == (1.0, None, 2)
    assert within([[True, False], [False, True]]) == (0.0, -1.0, 2)
    assert within([]) is None


def test_agreement_of_three_verdicts_counts_pairs() -> None:
    found = within([[True, True, False], [False, False, False]])
    assert found is not None
    assert found.share == pytest.approx((1 / 3 + 1) / 2)


def test_two_judges_agree_on_what_both_call_right() -> None:
    found = between([True, True, False, False], [True, False, False, False])
    assert found is not None
    assert found.share == 0.75
