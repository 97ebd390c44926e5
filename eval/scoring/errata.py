"""Corrections of a data set's answers and evidence, laid over a run when it is scored. The data stay as they are.

A YAML file, which users bring (published lists of LoCoMo's errors may not be shipped here):

    source: who found the errors, and where the list was taken from
    corrections:
      conv-26/q12:            # a question id, as answers.jsonl has it
        reference: 7 May 2023 # the right answer
        evidence: [D1:3]      # the turns that it rests on
        reason: the session's date was taken for the event's

`reference`, `trap` and `evidence` replace what the data set says; at least one of them is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amem.errors import DataError
from eval.scoring.answers import Answer

_REPLACES = ("reference", "trap", "evidence")


@dataclass(frozen=True, slots=True)
class Errata:
    source: str
    corrections: Mapping[str, Mapping[str, Any]]
    """By question id, the fields of an answer that are replaced."""

    def corrected(self, answers: Iterable[Answer]) -> list[Answer]:
        """The answers with what is corrected replaced."""
        return [{**answer, **self.corrections.get(answer["question_id"], {})} for answer in answers]

    def applying_to(self, answers: Iterable[Answer]) -> set[str]:
        """Ids of the corrected questions that are among the answers; raises `DataError` where there are none."""
        found = self.corrections.keys() & {answer["question_id"] for answer in answers}
        if not found:
            some = ", ".join(sorted(self.corrections)[:3])
            raise DataError(f"none of the {len(self.corrections)} corrections ({some}, …) is of a question of this run")
        return found


def read_errata(path: Path) -> Errata:
    """Raises `DataError` naming the file, the question and the field."""
    import yaml

    try:
        content = yaml.safe_load(path.read_text("utf-8"))
    except OSError as error:
        raise DataError(f"{path}: can't be read ({error.strerror})") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: not YAML ({' '.join(str(error).split())})") from error
    if not isinstance(content, dict) or not isinstance(content.get("source"), str):
        raise DataError(f"{path}: a mapping with source (a string) and corrections is needed")
    corrections = content.get("corrections")
    if not isinstance(corrections, dict) or not corrections:
        raise DataError(f"{path}: corrections must be a mapping from question ids, with at least one")
    return Errata(
        content["source"],
        {str(question): _checked(entry, f"{path}: {question}") for question, entry in corrections.items()},
    )


def _checked(entry: Any, place: str) -> dict[str, Any]:
    if not isinstance(entry, dict):
        raise DataError(f"{place}: a mapping is needed, found {type(entry).__name__}")
    unknown = entry.keys() - {*_REPLACES, "reason"}
    if unknown:
        raise DataError(f"{place}: unknown field {sorted(unknown)[0]}; known are {', '.join(_REPLACES)} and reason")
    replaced: dict[str, Any] = {field: entry[field] for field in _REPLACES if field in entry}
    if not replaced:
        raise DataError(f"{place}: nothing is corrected; {', '.join(_REPLACES)} are what can be")
    for field in ("reference", "trap"):
        if field in replaced:
            if not isinstance(replaced[field], str | int | float) or isinstance(replaced[field], bool):
                raise DataError(f"{place}: {field} must be text, found {replaced[field]!r}")
            replaced[field] = str(replaced[field])
    evidence = replaced.get("evidence", [])
    if not isinstance(evidence, list) or not all(isinstance(turn, str) for turn in evidence):
        raise DataError(f"{place}: evidence must be a list of turn ids, found {evidence!r}")
    return replaced
