"""Metrics by name. A metric of one's own is a file with a tuple `METRICS` and a line here."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module

from amem.errors import ConfigurationError
from eval.metrics.protocol import Metric

_MODULES = {
    "exact_match": "exact_match",
    "f1_amem_set": "f1_amem_set",
    "f1_locomo": "f1_locomo",
    "bleu1": "bleu",
    "bleu2": "bleu",
    "bleu3": "bleu",
    "bleu4": "bleu",
    "rouge1_f": "rouge",
    "rouge2_f": "rouge",
    "rougeL_f": "rouge",
    "meteor": "meteor",
    "sbert_similarity": "sbert_similarity",
}

NAMES = tuple(_MODULES)
"""Every metric that needs no large model, in the order in which they are printed; BERTScore is asked for apart."""


@lru_cache(maxsize=64)
def metric(name: str, model: str | None = None) -> Metric:
    """The metric called `name`; `model` chooses the model of `bertscore` and is refused for every other."""
    if name == "bertscore":
        from eval.metrics.bertscore import DEFAULT_MODEL, BertScore

        return BertScore(model or DEFAULT_MODEL)
    if name not in _MODULES:
        raise ConfigurationError(f"no metric is called {name!r}; there are {', '.join((*NAMES, 'bertscore'))}")
    if model is not None:
        raise ConfigurationError(f"metric {name} takes no model")
    module = import_module(f"eval.metrics.{_MODULES[name]}")
    return next(metric for metric in module.METRICS if metric.name == name)
