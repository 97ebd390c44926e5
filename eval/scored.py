"""Scores of a stored run, whichever benchmark it is of: what pages, figures, exports and trackers show of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from eval.dialsim.formats import AnswerFormat
from eval.dialsim.judge import stored_judge
from eval.dialsim.scores import IdkReference, idk_of, score_dialsim
from eval.dialsim.scoring import Judge
from eval.scoring.retrieval import WRONG_BELOW
from eval.scoring.run_folder import StoredRun
from eval.scoring.scores import Protocol, Scores, score_answers

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Scored:
    """Scores a row an answer, in the order of the answers."""

    scores: Scores
    headings: Mapping[str, str]
    """The columns that are shown of an answer, the first one also in lists."""
    right: pd.Series
    """By row, whether the answer counts as right; failed ones are not in it."""
    rule: str
    """When it does, in words."""
    found: str
    """The column with the share of the evidence that was recalled, in its own words or through text written from it."""
    found_words: str
    verbatim: str | None = None
    """The column with the share that was recalled in its own words; None where that is not told apart."""


def scored_run(run: StoredRun, folder: Path | None = None) -> Scored:
    """Score what `run` holds, by the judge's verdicts in its `folder` too where DialSim's answers were judged.

    Raises ResultsError for answers that can't be scored.
    """
    return _dialsim(run, stored_judge(folder) if folder else None) if run.is_dialsim else _locomo(run)


def _locomo(run: StoredRun) -> Scored:
    headings = {"f1_amem_set": "F1 (sets)", "f1_locomo": "F1 (LoCoMo)", "bleu1": "BLEU-1"}
    scores = score_answers(run.answers, metrics=tuple(headings), manifest=run.manifest)
    right = scores.values("f1_amem_set", Protocol.ABSTAIN) >= WRONG_BELOW
    rule = (
        f"Right: F1 (sets) of at least {100 * WRONG_BELOW:g} against the reference, which is not a person's verdict; "
        "adversarial questions: declined."
    )
    found, verbatim = "evidence_any_recall", "evidence_verbatim_recall"
    return Scored(scores, headings, right, rule, found, "of the evidence", verbatim)


def _dialsim(run: StoredRun, judge: Judge | None) -> Scored:
    headings = {"f1_amem_set": "F1", "accuracy": "DialSim accuracy", "bleu1": "BLEU-1"}
    # Where questions that can't be answered are left out of the means, their answers are looked at all the same.
    idk = idk_of(run.manifest)
    idk = IdkReference.PHRASE if idk is IdkReference.EXCLUDED else idk
    scores = score_dialsim(run.answers, idk=idk, judge=judge, metrics=("f1_amem_set", "bleu1"))
    answered = scores.answered
    right, rule = answered["accuracy"] == 1, "Right: by DialSim's accuracy."
    if run.answers[0]["dialsim"]["format"] == AnswerFormat.OPEN_ENDED:
        right |= answered["f1_amem_set"] >= WRONG_BELOW
        rule = f"Right: F1 of at least {100 * WRONG_BELOW:g} against the reference, or right by DialSim's accuracy."
    return Scored(scores, headings, right, rule, "day_recall", "of the days with evidence")
