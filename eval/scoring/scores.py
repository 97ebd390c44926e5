"""Per-question scores: one row an answer, one column a metric."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from eval.datasets.categories import Category
from eval.metrics.f1_locomo import abstains
from eval.metrics.registry import NAMES, metric
from eval.scoring.answers import Answer, check_answers
from eval.scoring.evidence import evidence_figures
from eval.scoring.fitting import was_cut

if TYPE_CHECKING:
    import pandas as pd


class Protocol(StrEnum):
    """What a good answer to an adversarial question is; the other categories do not depend on it."""

    TRAP = "trap"
    """The released A-Mem code: the reference is the trap, and whoever falls for it scores
    (WujiangXu/AgenticMemory 7f716dc, load_dataset.py)."""
    ABSTAIN = "abstain"
    """LoCoMo: 1 for a reply that says the conversation does not hold the answer, else 0, whatever the metric
    (snap-research/locomo 3eb6f2c, task_eval/evaluation.py). ×100 this is the accuracy of abstention."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of one run.

    `frame` has a row an answer, in the order of the answers. Columns: `dataset`, `backbone`, `method`,
    `conversation`, `question_id`, `category`, `seed`, `repeat`, `failure` (its kind, or None), `abstained`,
    `prompt_tokens`, `recall_tokens`, `recall_cut`, those of `eval.scoring.evidence`, and one for each name in
    `metrics`, within 0..1, under `Protocol.TRAP`. A failed question has NaN for `abstained` and all metrics: it is no
    zero.
    """

    frame: pd.DataFrame
    metrics: tuple[str, ...]

    @property
    def answered(self) -> pd.DataFrame:
        """The rows of questions that did not fail."""
        return self.frame[self.frame["failure"].isna()]

    def values(self, name: str, protocol: Protocol) -> pd.Series:
        """Metric `name` of the answered questions, adversarial ones under `protocol`."""
        rows = self.answered
        adversarial = rows["category"] == Category.ADVERSARIAL
        if protocol is Protocol.TRAP:
            return rows[name]
        return rows[name].where(~adversarial, rows["abstained"].astype(float))


def score_answers(
    answers: Iterable[Answer],
    *,
    metrics: Sequence[str] = NAMES,
    manifest: Mapping[str, Any] | None = None,
    bertscore_model: str | None = None,
) -> Scores:
    """Score the lines of one run's `answers.jsonl`; raises `ResultsError` for what `check_answers` refuses.

    `f1_locomo` scores an adversarial question by abstention under either protocol: its definition has no other rule.
    """
    import pandas as pd

    rows = check_answers(answers, manifest)
    frame = pd.DataFrame([_facts(row) for row in rows])
    scored = [place for place, row in enumerate(rows) if row["failure"] is None]
    predictions = [rows[place]["prediction"] for place in scored]
    targets = [target_of(rows[place]) for place in scored]
    categories = [Category(rows[place]["category"]) for place in scored]
    for name in metrics:
        values = metric(name, bertscore_model if name == "bertscore" else None).scores(predictions, targets, categories)
        frame[name] = pd.Series(values, index=scored, dtype=float).reindex(frame.index)
    return Scores(frame, tuple(metrics))


def target_of(row: Answer) -> str:
    """The text that an answer is held against under `Protocol.TRAP`."""
    return row["trap"] if row["category"] == Category.ADVERSARIAL else row["reference"]


def _facts(row: Answer) -> dict[str, Any]:
    recall = row["recall"]
    return {
        **{name: row[name] for name in ("dataset", "backbone", "method", "conversation", "question_id")},
        "category": str(row["category"]),
        "seed": row["seed"],
        "repeat": row["repeat"],
        "failure": row["failure"] and str(row["failure"].get("kind", "unknown")),
        "abstained": float("nan") if row["prediction"] is None else float(abstains(row["prediction"])),
        "prompt_tokens": _number(row["prompt_tokens"]),
        "recall_tokens": _number(recall and recall["tokens"]),
        "recall_cut": was_cut(recall),
        "evidence_turns": len(row["evidence"]),
        **evidence_figures(row["evidence"], recall),
    }


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)
