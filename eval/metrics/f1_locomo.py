"""F1 as LoCoMo's scorer computes it: token counts, Porter stems, a rule for each category.

Source: snap-research/locomo 3eb6f2c, task_eval/evaluation.py, `eval_question_answering`. That scorer rounds each
score to three decimals when it stores it; this one does not round.
"""

from __future__ import annotations

import string
from collections import Counter
from functools import lru_cache
from statistics import fmean
from typing import Any

from amem.errors import DataError
from eval.datasets.categories import Category
from eval.metrics.protocol import PairMetric

ABSTENTIONS = ("no information available", "not mentioned")
"""A reply that contains one of these, in any case, says that the conversation does not hold the answer."""

_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def abstains(prediction: str) -> bool:
    """Whether the reply declines to answer, by LoCoMo's rule for adversarial questions."""
    lowered = prediction.lower()
    return any(wording in lowered for wording in ABSTENTIONS)


def f1_locomo(prediction: str, reference: str, category: str) -> float:
    """Score within 0..1 under the rule of `category`; raises `DataError` for a category that LoCoMo lacks."""
    match category:
        case Category.MULTI_HOP:
            return _parts_f1(prediction, reference)
        case Category.OPEN_DOMAIN:
            return _token_f1(prediction, reference.split(";")[0])
        case Category.TEMPORAL | Category.SINGLE_HOP:
            return _token_f1(prediction, reference)
        case Category.ADVERSARIAL:
            return float(abstains(prediction))
    raise DataError(f"f1_locomo has no rule for category {category!r}; it knows {', '.join(Category)}")


def _parts_f1(prediction: str, reference: str) -> float:
    # Surplus parts of the prediction cost nothing: that is LoCoMo's definition.
    said = prediction.split(",")
    return fmean(max(_token_f1(part, wanted) for part in said) for wanted in reference.split(","))


def _token_f1(prediction: str, reference: str) -> float:
    said, wanted = _stems(prediction), _stems(reference)
    common = sum((Counter(said) & Counter(wanted)).values())
    if not common:
        return 0.0
    precision, recall = common / len(said), common / len(wanted)
    return 2 * precision * recall / (precision + recall)


@lru_cache(maxsize=262_144)
def _stems(text: str) -> tuple[str, ...]:
    plain = text.lower().translate(_NO_PUNCTUATION)
    return tuple(_stem(word) for word in _articles().sub(" ", plain).split())


@lru_cache(maxsize=262_144)
def _stem(word: str) -> str:
    return _stemmer().stem(word)


@lru_cache(maxsize=1)
def _articles() -> Any:
    # The `regex` package, as in LoCoMo: its word boundaries differ from those of `re` around combining marks.
    import regex

    return regex.compile(r"\b(a|an|the|and)\b")


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer()


METRICS = (PairMetric("f1_locomo", f1_locomo),)
