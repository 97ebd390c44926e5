"""An optional judge: a model says whether an answer is right. Off by default, and no figure rests on it alone.

Judges disagree with each other by prompt more than methods do (identical answers were given 91% and 35%), so both a
strict and a lenient wording are asked, and how far a judge agrees with F1 and with itself is reported beside its
verdicts. Adversarial questions are not judged: whether a reply abstains needs no judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from amem.errors import ResultsError
from amem.lm.model import LanguageModel
from amem.lm.types import Completion, ModelFailure, Request
from amem.prompting.pack import PromptPack
from eval.datasets.categories import Category
from eval.runner.files import read_jsonl, write_jsonl
from eval.scoring.answers import Answer, name_of

FILE_NAME = "judgements.jsonl"

Judgement = dict[str, Any]
"""One verdict: `backbone`, `method`, `question_id`, `repeat` of the answer, its `prediction`, `strictness`, `attempt`,
`correct` (null where the judge failed), `failure` (its kind or null), `judge` (model and prompt pack)."""


class Strictness(StrEnum):
    """Calls of the prompt pack are `judge_strict` and `judge_lenient`."""

    STRICT = "strict"
    LENIENT = "lenient"


def judge_answers(
    answers: Iterable[Answer],
    lm: LanguageModel,
    prompts: PromptPack,
    *,
    label: str,
    strictness: Sequence[Strictness] = tuple(Strictness),
    attempts: int = 1,
) -> list[Judgement]:
    """Ask `attempts` times for each answer to an answerable question; `label` names the judge in tables."""
    judged = [a for a in answers if a["failure"] is None and a["category"] != Category.ADVERSARIAL]
    cases = [(answer, kind, attempt) for answer in judged for kind in strictness for attempt in range(attempts)]
    replies = lm.complete_many([_request(prompts, *case) for case in cases])
    judge = f"{label}, prompts {prompts.name} {prompts.hash[:8]}"
    return [_judgement(*case, reply, judge) for case, reply in zip(cases, replies, strict=True)]


def write_judgements(folder: Path, judgements: Iterable[Judgement]) -> None:
    """Replace the run's judgements."""
    write_jsonl(folder / FILE_NAME, judgements)


def read_judgements(folder: Path, answers: Iterable[Answer]) -> list[Judgement]:
    """The run's judgements, none where it was not judged; raises `ResultsError` for those of other answers."""
    path = folder / FILE_NAME
    if not path.is_file():
        return []
    judgements = list(read_jsonl(path))
    given = {_key(answer): answer["prediction"] for answer in answers}
    for judgement in judgements:
        if given.get(_key(judgement)) != judgement["prediction"]:
            raise ResultsError(
                f"{path}: {name_of(judgement)} has changed since it was judged; "
                "judge again (`python -m eval judge`) or delete the file"
            )
    return judgements


def _request(prompts: PromptPack, answer: Answer, kind: Strictness, attempt: int) -> Request:
    request = prompts.request(
        f"judge_{kind}",
        question=answer["question"],
        reference=answer["reference"],
        prediction=answer["prediction"],
    )
    return replace(request, repeat=attempt)


def _judgement(
    answer: Answer, kind: Strictness, attempt: int, reply: Completion | ModelFailure, judge: str
) -> Judgement:
    return {
        **{field: answer[field] for field in ("backbone", "method", "question_id", "repeat", "prediction")},
        "strictness": str(kind),
        "attempt": attempt,
        "correct": reply.parsed["verdict"] == "correct" if isinstance(reply, Completion) else None,
        "failure": str(reply.kind) if isinstance(reply, ModelFailure) else None,
        "judge": judge,
    }


def _key(row: Answer) -> tuple[Any, ...]:
    return row["backbone"], row["method"], row["question_id"], row["repeat"]
