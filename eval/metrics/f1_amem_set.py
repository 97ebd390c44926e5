"""F1 as A-Mem's code computes it: overlap of token *sets*, with no stemming and no articles removed.

Source: WujiangXu/AgenticMemory 7f716dc, utils.py, `simple_tokenize` and `calculate_metrics`.
"""

from __future__ import annotations

from eval.metrics.protocol import PairMetric, zero_if_empty

_TO_SPACE = str.maketrans(dict.fromkeys(".,!?", " "))


def tokens(text: str) -> frozenset[str]:
    """Lower-cased words; only `. , ! ?` separate besides white space."""
    return frozenset(text.lower().translate(_TO_SPACE).split())


def f1_amem_set(prediction: str, reference: str) -> float:
    """Harmonic mean of set precision and recall, within 0..1; a word said twice counts once."""
    said, wanted = tokens(prediction), tokens(reference)
    common = len(said & wanted)
    if not common:
        return 0.0
    precision, recall = common / len(said), common / len(wanted)
    return 2 * precision * recall / (precision + recall)


METRICS = (PairMetric("f1_amem_set", zero_if_empty(f1_amem_set)),)
