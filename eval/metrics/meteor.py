"""METEOR with WordNet: NLTK's, with its default parameters, over words split at white space.

Source: Banerjee and Lavie 2005; `nltk.translate.meteor_score` as WujiangXu/AgenticMemory 7f716dc calls it. NLTK hands
*stemmed* words to the synonym stage, so that "car" and "automobile" do not match and "car" and "auto" do; published
values share this behaviour, and so do these.
"""

from __future__ import annotations

from eval.metrics.nltk_data import require
from eval.metrics.protocol import PairMetric, zero_if_empty


def meteor(prediction: str, reference: str) -> float:
    """METEOR, within 0..1."""
    require("corpora/wordnet", "METEOR")
    from nltk.translate.meteor_score import meteor_score

    return meteor_score([reference.split()], prediction.split())


METRICS = (PairMetric("meteor", zero_if_empty(meteor)),)
