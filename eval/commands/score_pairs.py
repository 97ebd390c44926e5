"""`python -m eval score-pairs PAIRS.json`: every metric of answers that come from elsewhere."""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Any

from amem.errors import DataError
from eval.datasets.categories import Category

HELP = "Every metric of prediction/reference pairs in a JSON file"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "pairs", type=Path, metavar="PAIRS.json", help="list of objects with prediction, reference and category (1-5)"
    )
    parser.add_argument("--out", type=Path, help="file to write (default: standard output)")
    parser.add_argument(
        "--bertscore",
        nargs="?",
        const="roberta-large",
        metavar="MODEL",
        help="add BERTScore, by this hub name or folder (default: roberta-large)",
    )


def run(args: argparse.Namespace) -> int:
    rows = score_pairs(read_pairs(args.pairs), bertscore_model=args.bertscore)
    text = json.dumps(rows, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    if args.out:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(text, "utf-8")
    else:
        sys.stdout.write(text)
    return 0


def read_pairs(path: Path) -> list[dict[str, Any]]:
    """The checked pairs of a file, other keys left out; raises `DataError` naming the pair's index and field."""
    try:
        pairs = json.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise DataError(f"{path}: can't be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: not JSON in UTF-8 ({error})") from error
    if not isinstance(pairs, list) or not pairs:
        raise DataError(f"{path}: a list of pairs is needed, with at least one")
    return [_checked(pair, f"{path}: pair {index}") for index, pair in enumerate(pairs)]


def score_pairs(pairs: list[dict[str, Any]], *, bertscore_model: str | None = None) -> list[dict[str, Any]]:
    """Each pair with a key per metric, scores within 0..1, in the order given."""
    from eval.metrics.registry import NAMES, metric

    predictions = [pair["prediction"] for pair in pairs]
    references = [str(pair["reference"]) for pair in pairs]
    categories = [Category.from_locomo_id(pair["category"]) for pair in pairs]
    metrics = [metric(name) for name in NAMES]
    if bertscore_model:
        metrics.append(metric("bertscore", bertscore_model))
    columns = {each.name: each.scores(predictions, references, categories) for each in metrics}
    return [{**pair, **{name: column[i] for name, column in columns.items()}} for i, pair in enumerate(pairs)]


def _checked(pair: Any, place: str) -> dict[str, Any]:
    if not isinstance(pair, dict):
        raise DataError(f"{place}: an object is needed, found {type(pair).__name__}")
    for field in ("prediction", "reference", "category"):
        if field not in pair:
            raise DataError(f"{place}: field {field} is missing")
    prediction, reference, category = pair["prediction"], pair["reference"], pair["category"]
    if not isinstance(prediction, str):
        raise DataError(f"{place}: prediction must be a string, found {_shown(prediction)}")
    number = type(reference) in (int, float) and math.isfinite(reference)
    if not number and not isinstance(reference, str):
        raise DataError(f"{place}: reference must be a string or a finite number, found {_shown(reference)}")
    for field, text in (("prediction", prediction), ("reference", str(reference))):
        if any("\ud800" <= character <= "\udfff" for character in text):
            raise DataError(f"{place}: {field} holds half of a surrogate pair, which is no character: {_shown(text)}")
    if type(category) is not int or not 1 <= category <= len(Category):
        raise DataError(f"{place}: category must be one of 1 to {len(Category)}, found {_shown(category)}")
    return {"prediction": prediction, "reference": reference, "category": category}


def _shown(value: Any) -> str:
    return f"{type(value).__name__} {value!r:.40}"
