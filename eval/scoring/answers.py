"""Checks of stored answers before anything is counted: what can't be scored honestly is refused."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from amem.errors import ResultsError
from eval.datasets.categories import Category

Answer = Mapping[str, Any]
"""A line of `answers.jsonl`, as `eval.runner.answers.answer_row` writes it."""

NO_ANSWERS = (
    "there are no answers to score yet: the run was stopped before its first one; the command that started it goes on "
    "where it stopped"
)

_FIELDS = (
    "backbone", "method", "conversation", "question_id", "category", "reference", "trap", "prediction", "failure",
    "evidence", "recall", "prompt_tokens", "seed", "repeat", "memory", "dataset",
)  # fmt: skip


def check_answers(answers: Iterable[Answer], manifest: Mapping[str, Any] | None = None) -> list[Answer]:
    """The answers, all of them fit to be scored; raises `ResultsError` that names the answer and the field.

    Refused: no answers; a field missing or of a wrong type; an unknown category; a NaN; a question answered twice in
    one cell; answers of more than one run (another dataset, another memory, a backbone or method that `manifest`,
    where given, does not know).
    """
    rows = list(answers)
    if not rows:
        raise ResultsError(NO_ANSWERS)
    for row in rows:
        _check_fields(row)
    _check_unique(rows)
    _check_one_run(rows)
    if manifest is not None:
        _check_manifest(rows, manifest)
    return rows


def name_of(row: Answer) -> str:
    """How an answer is called in messages."""
    keys = ("backbone", "method", "question_id", "repeat")
    return "answer " + "/".join(str(row.get(key, "?")) for key in keys)


def _check_fields(row: Answer) -> None:
    missing = [field for field in _FIELDS if field not in row]
    if missing:
        raise ResultsError(f"{name_of(row)}: field {missing[0]} is missing; was it written by another program?")
    for field in ("backbone", "method", "conversation", "question_id", "dataset"):
        _expect(isinstance(row[field], str) and bool(row[field]), row, field, "a string")
    if row["category"] not in set(Category):
        raise ResultsError(f"{name_of(row)}: unknown category {row['category']!r}; known are {', '.join(Category)}")
    _check_outcome(row)
    _check_target(row)
    _expect(_is_list_of_strings(row["evidence"]), row, "evidence", "a list of turn ids")
    _expect(_is_recall(row["recall"]), row, "recall", "null or an object with tokens and sources")
    _check_numbers(row, "", row)


def _check_outcome(row: Answer) -> None:
    prediction, failure = row["prediction"], row["failure"]
    _expect(prediction is None or isinstance(prediction, str), row, "prediction", "a string or null")
    _expect(failure is None or isinstance(failure, Mapping), row, "failure", "an object or null")
    if (prediction is None) == (failure is None):
        both = "both a prediction and a failure" if failure else "neither a prediction nor a failure"
        raise ResultsError(f"{name_of(row)}: has {both}; exactly one of the two is needed")


def _check_target(row: Answer) -> None:
    field = "trap" if row["category"] == Category.ADVERSARIAL else "reference"
    _expect(isinstance(row[field], str) and bool(row[field]), row, field, "a string")


def _check_numbers(row: Answer, place: str, value: Any) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise ResultsError(f"{name_of(row)}: {place.lstrip('.')} is {value}; a finite number or null is needed")
    inner = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        _check_numbers(row, f"{place}.{key}", item)


def _check_unique(rows: Sequence[Answer]) -> None:
    seen: set[tuple[Any, ...]] = set()
    for row in rows:
        key = row["backbone"], row["method"], row["question_id"], row["repeat"]
        if key in seen:
            raise ResultsError(f"{name_of(row)}: the question is answered twice; are two runs in one file?")
        seen.add(key)


def _check_one_run(rows: Sequence[Answer]) -> None:
    datasets = sorted({row["dataset"] for row in rows})
    if len(datasets) > 1:
        raise ResultsError(f"answers on different data are mixed: {', '.join(datasets)}; score each run by itself")
    memories: dict[tuple[Any, ...], Any] = {}
    for row in rows:
        if row["failure"] is not None:
            continue
        place = row["backbone"], row["method"], row["conversation"], row["repeat"]
        if memories.setdefault(place, row["memory"]) != row["memory"]:
            raise ResultsError(f"{name_of(row)}: answered from another memory than the rest of its conversation")


def _check_manifest(rows: Sequence[Answer], manifest: Mapping[str, Any]) -> None:
    try:
        known = {
            "dataset": {manifest["data"]["name"]},
            "backbone": set(manifest["config"]["backbones"]),
            "method": set(manifest["config"]["methods"]),
            "seed": set(manifest["seeds"]),
        }
    except (KeyError, TypeError) as error:
        raise ResultsError(f"the manifest lacks {error}; it is not one of this harness") from error
    for row in rows:
        for field, values in known.items():
            if row[field] not in values:
                raise ResultsError(
                    f"{name_of(row)}: {field} {row[field]!r} is not of this run; its manifest knows "
                    f"{', '.join(map(str, sorted(values)))}"
                )


def _is_list_of_strings(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str) and all(isinstance(item, str) for item in value)


def _is_recall(value: Any) -> bool:
    if value is None:
        return True
    if not isinstance(value, Mapping) or not isinstance(value.get("sources"), list) or "tokens" not in value:
        return False
    return all(isinstance(source, Mapping) and {"turn", "derived"} <= source.keys() for source in value["sources"])


def _expect(holds: bool, row: Answer, field: str, wanted: str) -> None:
    if not holds:
        value = row[field]
        raise ResultsError(f"{name_of(row)}: {field} must be {wanted}, found {type(value).__name__} {value!r:.40}")
