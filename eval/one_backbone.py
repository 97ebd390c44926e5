"""`backbone.model=…`, `backbone.api_base=…`: a setting of the one backbone that was chosen, without its name.

`backbone.KEY` means `backbones.NAME.KEY` where that is a field of every backbone (`concurrency`, `sampling`,
`prices`, …), else `backbones.NAME.settings.KEY`.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field, fields
from typing import Any

from omegaconf import DictConfig, OmegaConf

from amem.errors import ConfigurationError
from amem.lm.build import settings_of
from eval.config import BackboneConfig, RunConfig


@dataclass
class GivenConfig(RunConfig):
    """What the command line may say: a run's configuration and the short form."""

    backbone: dict[str, Any] = field(default_factory=dict)


def schema() -> DictConfig:
    """The schema for Hydra, in which `backbone` and Ray's own settings take any key."""
    node: DictConfig = OmegaConf.structured(GivenConfig)
    for free in (node.backbone, node.executor.runtime_env):
        OmegaConf.set_struct(free, False)
    return node


def spelled_out(config: DictConfig) -> DictConfig:
    """The configuration with the short form written where it belongs; raises ConfigurationError."""
    given: dict[str, Any] = OmegaConf.to_container(config.backbone) if "backbone" in config else {}  # type: ignore[assignment]
    if not given:
        return config
    chosen = list(config.backbones)
    if len(chosen) != 1:
        raise ConfigurationError(
            f"backbone.{next(iter(given))}=…: that is for one backbone, and {len(chosen)} are chosen "
            f"({', '.join(chosen)}); say backbones.NAME.… instead, or choose one (backbone=…)"
        )
    return _merged(config, chosen[0], given)


def _merged(config: DictConfig, name: str, given: dict[str, Any]) -> DictConfig:
    own = [f.name for f in fields(BackboneConfig)]
    known = settings_of({"_target_": config.backbones[name]._target_})
    for key in given:
        if key not in own and key not in known:
            close = difflib.get_close_matches(key, [*own, *known], n=1, cutoff=0.5)
            hint = f"did you mean {close[0]}?" if close else f"known: {', '.join([*own[1:], *known])}"
            raise ConfigurationError(f"backbone.{key} is unknown; {hint}")
    fields_given = {key: value for key, value in given.items() if key in own}
    settings = {**fields_given.pop("settings", {}), **{key: given[key] for key in given if key not in own}}
    config = config.copy()
    config.backbone = {}
    for free in (config.backbones[name].settings, config.backbones[name].answer_temperature):
        OmegaConf.set_struct(free, False)
    return OmegaConf.merge(config, {"backbones": {name: {**fields_given, "settings": settings}}})  # type: ignore[return-value]


def check_named(config: DictConfig) -> None:
    """Raises ConfigurationError where a backbone lacks a setting that only its user knows, such as the model."""
    for name in config.backbones:
        for key in OmegaConf.missing_keys(config.backbones[name].settings):
            setting = key.rpartition(".")[2]
            raise ConfigurationError(f"backbone {name}: its {setting} has to be named (backbone.{setting}=…)")
