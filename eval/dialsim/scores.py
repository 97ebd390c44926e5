"""Scores of DialSim's answers, from the lines of `answers.jsonl` alone: a row an answer, a column a measure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from amem.errors import ResultsError
from eval.dialsim.formats import AnswerFormat, words_of
from eval.dialsim.plan import UNKNOWN
from eval.dialsim.scoring import Judge, Row, Verdict, day_recall, verdict
from eval.metrics.registry import metric
from eval.scoring.answers import NO_ANSWERS
from eval.scoring.fitting import was_cut
from eval.scoring.scores import Scores

if TYPE_CHECKING:
    import pandas as pd

METRICS = ("f1_amem_set", "bleu1", "rougeL_f", "rouge2_f", "meteor", "sbert_similarity")
"""Text metrics in the order of A-Mem's Table 2."""

CONSTANT = f'always "{UNKNOWN}"'

Scorer = Callable[[str, Sequence[str], Sequence[str]], list[float]]
"""(metric, predictions, references) → one score a pair, 0..1."""


class IdkReference(StrEnum):
    """What an answer to a question that can't be answered is compared with; the paper does not say."""

    PHRASE = "phrase"
    """"I don't know.", DialSim's gold of the text formats."""
    OPTION = "option"
    """The fifth option's text, the `answer` that the data stores."""
    EXCLUDED = "excluded"
    """Nothing: such questions are left out."""


def idk_of(manifest: Mapping[str, Any]) -> IdkReference:
    """What the run's own configuration compares such answers with."""
    return IdkReference(manifest["config"].get("scoring", {}).get("idk", IdkReference.PHRASE))


class Group(StrEnum):
    OVERALL = "overall"
    ANSWERABLE = "answerable"
    UNANSWERABLE = "unanswerable"


def of_group(frame: pd.DataFrame, group: Group) -> pd.DataFrame:
    """The rows of a group."""
    return frame if group is Group.OVERALL else frame[frame["group"] == group.value]


def registered(name: str, predictions: Sequence[str], references: Sequence[str]) -> list[float]:
    """Scores by the metric of that name in `eval.metrics`."""
    return metric(name).scores(predictions, references, [""] * len(predictions))


def remembered(score: Scorer) -> Scorer:
    """`score`, asked once for what is scored for several tables."""
    known: dict[tuple[str, tuple[str, ...], tuple[str, ...]], list[float]] = {}

    def scores(name: str, predictions: Sequence[str], references: Sequence[str]) -> list[float]:
        key = (name, tuple(predictions), tuple(references))
        if key not in known:
            known[key] = score(name, predictions, references)
        return known[key]

    return scores


def score_dialsim(
    rows: Iterable[Row],
    *,
    idk: IdkReference = IdkReference.PHRASE,
    judge: Judge | None = None,
    score: Scorer = registered,
    metrics: Sequence[str] = METRICS,
) -> Scores:
    """`Scores` with a column for each of `metrics`, `accuracy` (DialSim's own), `ambiguous` and `day_recall`, 0..1,
    and `recall_cut`.

    Column `group` says whether a question can be answered. A failed call has NaN everywhere: it is no zero. Raises
    ResultsError where rows are not of DialSim, of different settings, or twice there.
    """
    import pandas as pd

    rows = list(rows)
    shared_facts(rows)
    _check_unique(rows)
    rows = [row for row in rows if reference(row, idk) is not None]
    if not rows:
        raise ResultsError("no question can be answered, and such questions are left out: there is nothing to score")
    frame = pd.DataFrame([_facts(row, judge) for row in rows])
    scored = [place for place, row in enumerate(rows) if row["prediction"] is not None]
    predictions = [_words(rows[place]) for place in scored]
    references = [reference(rows[place], idk) or "" for place in scored]
    for name in metrics:
        frame[name] = pd.Series(score(name, predictions, references), index=scored, dtype=float).reindex(frame.index)
    return Scores(frame, tuple(metrics))


def reference(row: Row, idk: IdkReference) -> str | None:
    """What the row's prediction is compared with in words; None where it is left out."""
    extra = row["dialsim"]
    if extra["answerable"] or idk is IdkReference.OPTION:
        return str(extra["option"])
    return UNKNOWN if idk is IdkReference.PHRASE else None


def always_declined(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Each backbone's questions, whichever of its methods answered them, declined throughout: the line to beat."""
    asked = {(row["backbone"], row["question_id"], row["repeat"]): row for row in reversed(rows)}
    return [
        {**row, "method": CONSTANT, "prediction": _declined(row), "failure": None, "recall": None, "calls": []}
        for row in reversed(asked.values())
    ]


def shared_facts(rows: Sequence[Row]) -> dict[str, str]:
    """Version, names, format and style, which all rows must share."""
    if not rows:
        raise ResultsError(NO_ANSWERS)
    facts: dict[str, str] = {}
    for name in ("version", "names", "format", "style"):
        values = {row.get("dialsim", {}).get(name) for row in rows}
        if len(values) > 1 or None in values:
            found = ", ".join(sorted(map(str, values)))
            raise ResultsError(f"answers to DialSim of one {name} are needed; found: {found}")
        facts[name] = values.pop()
    return facts


def _check_unique(rows: Sequence[Row]) -> None:
    seen: set[tuple[Any, ...]] = set()
    for row in rows:
        key = tuple(row[name] for name in ("backbone", "method", "question_id", "repeat"))
        if key in seen:
            raise ResultsError(f"answer {'/'.join(map(str, key))}: answered twice; are two runs in one file?")
        seen.add(key)


def _facts(row: Row, judge: Judge | None) -> dict[str, Any]:
    names = ("backbone", "method", "conversation", "question_id", "category", "seed", "repeat", "prompt_tokens")
    facts: Mapping[str, Any] = {name: row[name] for name in names}
    mark = None if row["prediction"] is None else verdict(row, judge)
    found = day_recall(row)
    return {
        **facts,
        "failure": row["failure"] and str(row["failure"].get("kind", "unknown")),
        "group": (Group.ANSWERABLE if row["dialsim"]["answerable"] else Group.UNANSWERABLE).value,
        "accuracy": _number(None if mark is None else float(mark is Verdict.CORRECT)),
        "ambiguous": _number(None if mark is None else float(mark is Verdict.AMBIGUOUS)),
        "day_recall": _number(None if mark is None else found),
        "recall_cut": was_cut(row["recall"]),
    }


def _words(row: Row) -> str:
    if row["dialsim"]["format"] == AnswerFormat.MULTI_CHOICE_STRUCTURED:
        return words_of(row["prediction"], row["dialsim"]["options"])
    return str(row["prediction"])


def _declined(row: Row) -> str:
    return "(E)" if row["dialsim"]["format"] == AnswerFormat.MULTI_CHOICE_STRUCTURED else UNKNOWN


def _number(value: float | None) -> float:
    return float("nan") if value is None else value
