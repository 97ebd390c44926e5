"""ROUGE-1, ROUGE-2 and ROUGE-L F-measures: the rouge-score package with its stemmer.

Source: Lin 2004; google-research/rouge-score 0.1.2. It keeps ASCII letters and digits only, so a text in another
script scores 0, against itself too.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

from eval.metrics.protocol import PairMetric, zero_if_empty

KINDS = ("rouge1", "rouge2", "rougeL")


def rouge(kind: str, prediction: str, reference: str) -> float:
    """F-measure of `kind` (one of `KINDS`), within 0..1."""
    return _all_kinds(prediction, reference)[KINDS.index(kind)]


@lru_cache(maxsize=262_144)
def _all_kinds(prediction: str, reference: str) -> tuple[float, ...]:
    found = _scorer().score(reference, prediction)
    return tuple(found[kind].fmeasure for kind in KINDS)


@lru_cache(maxsize=1)
def _scorer() -> Any:
    from rouge_score.rouge_scorer import RougeScorer
    from rouge_score.tokenizers import DefaultTokenizer, Tokenizer

    class CachedTokenizer(Tokenizer):  # type: ignore[misc]
        tokenize = staticmethod(lru_cache(maxsize=262_144)(DefaultTokenizer(use_stemmer=True).tokenize))

    return RougeScorer(list(KINDS), tokenizer=CachedTokenizer())


METRICS = tuple(PairMetric(f"{kind}_f", zero_if_empty(partial(rouge, kind))) for kind in KINDS)
