"""BLEU-1 to BLEU-4 of one sentence: NLTK's, with smoothing method 1 and the brevity penalty.

Source: Papineni et al. 2002; weights as in WujiangXu/AgenticMemory 7f716dc, utils.py, which gives BLEU-3 three times
0.33 instead of a third. Tokens are NLTK's `word_tokenize` of the lower-cased text.
"""

from __future__ import annotations

from functools import lru_cache, partial

from eval.metrics.nltk_data import require
from eval.metrics.protocol import PairMetric, zero_if_empty

WEIGHTS = ((1.0, 0.0, 0.0, 0.0), (0.5, 0.5, 0.0, 0.0), (0.33, 0.33, 0.33, 0.0), (0.25, 0.25, 0.25, 0.25))


def bleu(order: int, prediction: str, reference: str) -> float:
    """BLEU of `order` (1 to 4), within 0..1."""
    return _all_orders(prediction, reference)[order - 1]


@lru_cache(maxsize=262_144)
def _all_orders(prediction: str, reference: str) -> tuple[float, ...]:
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    said, wanted = _tokens(prediction.lower()), _tokens(reference.lower())
    return tuple(sentence_bleu([wanted], said, weights=WEIGHTS, smoothing_function=SmoothingFunction().method1))


@lru_cache(maxsize=262_144)
def _tokens(text: str) -> list[str]:
    require("tokenizers/punkt_tab/english", "BLEU")
    from nltk.tokenize import word_tokenize

    return word_tokenize(text)


METRICS = tuple(PairMetric(f"bleu{order}", zero_if_empty(partial(bleu, order))) for order in (1, 2, 3, 4))
