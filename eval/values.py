"""Values of a configuration that have the right type and still can't be: refused before any data is read."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from amem.errors import ConfigurationError
from amem.sentence_encoder import MINILM, MINILM_DIMENSION
from eval.config import RunConfig, ScoringConfig
from eval.datasets.categories import Category
from eval.dialsim.kinds import Kind
from eval.executors.check import check_executor
from eval.no_keys import check_no_keys

NEEDED_METRICS = ("f1_amem_set", "f1_locomo", "bleu1")
"""Those that Table 1 is made of."""


def check_values(run: RunConfig) -> None:
    """Raises ConfigurationError, naming the key."""
    check_no_keys(run)
    _at_least(1, repeats=run.repeats)
    _at_least(1, **{"retrieve.k": run.retrieve.k, "link.k": run.link.k, "memgpt.window": run.memgpt.window})
    _at_least(1, **{"dataset.sessions": run.dataset.sessions, "dataset.questions": run.dataset.questions})
    if run.dialsim is not None:
        limits = ("sessions", "episodes", "turns")
        _at_least(1, **{f"dialsim.{name}": getattr(run.dialsim, name) for name in limits})
    if run.scaling is not None:
        run.scaling.check()
    _at_least(0, **{"budget.usd": run.budget.usd})
    if not re.fullmatch(r"[\w.-]*\w[\w.-]*", run.name):
        raise ConfigurationError(f"name is {run.name!r}; it becomes a folder's name: letters, digits, '-', '_' and '.'")
    if run.embedder.model == MINILM and run.embedder.dimension != MINILM_DIMENSION:
        raise ConfigurationError(f"embedder.dimension: {MINILM} has {MINILM_DIMENSION}, not {run.embedder.dimension}")
    for name, backbone in run.backbones.items():
        _by_category(0, f"backbones.{name}.answer_temperature", backbone.answer_temperature)
        prices = ("input_per_million", "output_per_million", "cached_input_per_million")
        _at_least(0, **{f"backbones.{name}.prices.{price}": getattr(backbone.prices, price) for price in prices})
    for name, method in run.methods.items():
        _by_category(1, f"methods.{name}.settings.k_by_category", method.settings.get("k_by_category") or {})
    check_executor(run.executor)
    check_scoring(run.scoring)


def check_scoring(scoring: ScoringConfig) -> None:
    """Raises ConfigurationError for a share that is none, an unknown metric, or one that the tables lack."""
    from eval.dialsim.scores import IdkReference
    from eval.metrics.registry import NAMES

    if not 0 <= scoring.max_failure_share <= 1:
        raise ConfigurationError(f"scoring.max_failure_share is a share, 0 to 1; got {scoring.max_failure_share}")
    if scoring.idk not in list(IdkReference):
        raise ConfigurationError(f"scoring.idk is {scoring.idk!r}; known are {', '.join(IdkReference)}")
    known = (*NAMES, "bertscore")
    for name in scoring.metrics or ():
        if name not in known:
            raise ConfigurationError(f"scoring.metrics: no metric is called {name!r}; there are {', '.join(known)}")
    missing = [name for name in NEEDED_METRICS if scoring.metrics is not None and name not in scoring.metrics]
    if missing:
        raise ConfigurationError(f"scoring.metrics lacks {', '.join(missing)}, which the tables need")


def _by_category(least: int, key: str, values: Mapping[str, float]) -> None:
    """A category that there is none of would be passed over in silence."""
    known = (*Category, *Kind)
    for category, value in values.items():
        if category not in known:
            raise ConfigurationError(f"{key}: {category!r} is no category; there are {', '.join(known)}")
        _at_least(least, **{f"{key}.{category}": value})


def _at_least(least: int, **values: float | None) -> None:
    for key, value in values.items():
        if value is not None and not least <= value < math.inf:
            raise ConfigurationError(f"{key} must be at least {least}, not {value}")
