"""Which switches tell the released A-Mem from the paper's, and a method for each of them flipped alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

from amem.errors import ConfigurationError
from eval.composition import method_settings
from eval.config import MethodConfig, RunConfig

PAPER, RELEASED, HEAD = "amem_paper", "amem_released", "amem_head"

TOGETHER = {"refresh": ("refresh", "refresh_every", "refresh_text")}
"""Settings that have no meaning without the one they are named under."""

ORDER_ONLY = frozenset({"construct_ahead"})
"""Settings that change in which order the same requests are sent, and so nothing that could be measured."""


def with_flips(config: RunConfig) -> RunConfig:
    """The configuration with a method for each flip between its methods `amem_paper` and `amem_released`.

    Raises ConfigurationError where one of the two, or `amem_head`, is missing.
    """
    missing = [name for name in (PAPER, RELEASED, HEAD) if name not in config.methods]
    if missing:
        raise ConfigurationError(
            f"the audit of discrepancies needs method=[amem/paper,amem/released,amem/head]; {missing[0]} is missing"
        )
    paper = config.methods[PAPER]
    flipped = {
        f"flip_{name}": MethodConfig(
            _target_=paper._target_, label=label(name, values), settings={**paper.settings, **values}
        )
        for name, values in flips(config)
    }
    ends = {name: config.methods[name] for name in (RELEASED, HEAD)}
    return replace(config, methods={PAPER: paper, **flipped, **ends})


def flips(config: RunConfig) -> Iterator[tuple[str, dict[str, Any]]]:
    """The name of each switch that differs, and its values in the released variant."""
    paper, released = (_settings(config, name) for name in (PAPER, RELEASED))
    dependent = {name for names in TOGETHER.values() for name in names} - set(TOGETHER)
    for name in paper:
        if paper[name] != released[name] and name not in dependent | ORDER_ONLY:
            yield name, {each: released[each] for each in TOGETHER.get(name, (name,))}


def label(name: str, values: dict[str, Any]) -> str:
    """A flip as it would be written in a configuration."""
    value = values[name]
    if isinstance(value, tuple):
        value = f"[{', '.join(value)}]"
    return f"{name}: {str(value).lower() if isinstance(value, bool) else value}"


def _settings(config: RunConfig, name: str) -> dict[str, Any]:
    method = config.methods[name]
    return asdict(method_settings(f"methods.{name}", method._target_, method.settings))
