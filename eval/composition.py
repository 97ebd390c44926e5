"""From Hydra's composed configuration to checked objects: classes resolved, settings typed, errors with a hint."""

from __future__ import annotations

import difflib
import hashlib
import importlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from hydra.core.config_store import ConfigStore
from hydra.errors import OverrideParseException
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException
from pydantic import TypeAdapter, ValidationError

from amem.errors import ConfigurationError
from eval.config import WHERE_AND_HOW_FAST, MethodConfig, RunConfig
from eval.dialsim.dataset import DialSimConfig
from eval.one_backbone import GivenConfig, check_named, schema, spelled_out
from eval.plugins import register_plugins
from eval.scaling.config import ScalingConfig
from eval.sweep import swept
from eval.values import check_values

_UNKNOWN_KEY = re.compile(r"(?:Could not override|Key) '([^']+)'(?:\. To append| (?:is )?not in)")

_SEVERAL = re.compile(r"(?:Ambiguous value for argument|Sweep parameters) '([^']*)'")

_UNKNOWN_OPTION = re.compile(r"Could not (?:load|find) '([^']+)'")

CONFIGS = Path(__file__).resolve().parents[1] / "configs"


def register_schema() -> None:
    """Make `run_schema` of configs/config.yaml known to Hydra, and what installed packages bring."""
    register_plugins()
    ConfigStore.instance().store(name="run_schema", node=schema())


def compose(overrides: Sequence[str], config_dir: str | None = None) -> RunConfig:
    """Compose `configs/config.yaml` with overrides, outside of Hydra's own main (commands, tests, notebooks).

    `config_dir`: a folder of configurations beside the shipped ones, as Hydra's `--config-dir`.
    """
    return typed(composed(overrides, config_dir))


def composed(overrides: Sequence[str], config_dir: str | None = None) -> DictConfig:
    """The same, not checked yet."""
    from hydra import compose as hydra_compose
    from hydra import initialize_config_dir
    from hydra.errors import HydraException

    register_schema()
    try:
        with initialize_config_dir(str(CONFIGS), version_base="1.3"):
            return hydra_compose("config", overrides=[*overrides, *_searched(config_dir)])
    except (HydraException, OmegaConfBaseException) as error:
        raise ConfigurationError(explain(error)) from error


def _searched(config_dir: str | None) -> list[str]:
    """The override that stands for `--config-dir` where Hydra's own command line is not at work."""
    if config_dir is None:
        return []
    if not Path(config_dir).is_dir():
        raise ConfigurationError(f"--config-dir {config_dir}: there is no such folder")
    return [f"hydra.searchpath=[file://{Path(config_dir).resolve()}]"]


def quoted(path: Path) -> str:
    """A path as a value of Hydra's grammar, whatever signs it holds."""
    return "'" + str(path).replace("'", "\\'") + "'"


def typed(config: DictConfig) -> RunConfig:
    """The configuration as dataclasses, every method's settings checked; raises ConfigurationError."""
    known = [field.name for field in fields(GivenConfig)]
    for key in map(str, config):
        if key not in known:
            raise ConfigurationError(f"{key} is not a key of the configuration{_nearest_key(key)}")
    try:
        config = spelled_out(config)
        check_named(config)
        given = OmegaConf.to_object(config)
        run = RunConfig(**{f.name: getattr(given, f.name) for f in fields(RunConfig)})
    except OmegaConfBaseException as error:
        raise ConfigurationError(explain(error)) from error
    if not run.methods or not run.backbones:
        raise ConfigurationError("a run needs at least one method and one backbone (method=…, backbone=…)")
    for name, method in run.methods.items():
        method_settings(f"methods.{name}", method._target_, method.settings)
    check_values(run)
    if run.retrieve.sweep is not None:
        run.methods = swept(run, lambda k: _with_k(config, k), lambda m: resolve_class(m._target_).recall_settings)
    return run


def _with_k(config: DictConfig, k: int) -> dict[str, MethodConfig]:
    other = config.copy()
    other.retrieve.k = k
    return OmegaConf.to_object(other).methods  # type: ignore[union-attr]


def resolve_class(path: str) -> Any:
    """The class that a `_target_` names."""
    module_name, _, name = path.rpartition(".")
    try:
        return getattr(importlib.import_module(module_name), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigurationError(f"_target_: {path} can't be imported: {error}") from error


def method_settings(place: str, target: str, values: dict[str, Any]) -> Any:
    """`values` as the `Settings` of the method class; an unknown key or a wrong type names its place."""
    schema = resolve_class(target).Settings
    known = [f.name for f in fields(schema)]
    for key in values:
        if key not in known:
            raise ConfigurationError(f"{place}.settings.{key} is unknown{_nearest(key, known)}")
    try:
        return TypeAdapter(schema).validate_python(values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ConfigurationError(f"{place}.settings.{where}: {first['msg']}, found {first['input']!r}") from error


def config_hash(run: RunConfig) -> str:
    """SHA-256 of all that can change an answer or what it cost: where results go and how fast is left out."""
    plain = asdict(run)
    for part in WHERE_AND_HOW_FAST:
        plain.pop(part)
    for backbone in plain["backbones"].values():
        backbone.pop("concurrency")
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def explain(error: Exception) -> str:
    """Hydra's or OmegaConf's message on one line, with the nearest right name where a name is unknown."""
    text = " ".join(str(error).split()).partition(" Config search path:")[0]
    if several := _SEVERAL.search(text):
        return f"{several.group(1)}: several values are a job each, and need -m; a list is written in brackets"
    if isinstance(error, OverrideParseException):
        reason = text.partition(" See https:")[0]
        return f"{error.override}: no override (KEY=VALUE; a value with spaces or signs wants quotes inside): {reason}"
    if unknown := _UNKNOWN_KEY.search(text):
        return f"{unknown.group(1)} is not a key of the configuration{_nearest_key(unknown.group(1))}"
    if unknown := _UNKNOWN_OPTION.search(text):
        group, _, name = unknown.group(1).partition("/")
        options = [path.relative_to(CONFIGS / group).with_suffix("") for path in (CONFIGS / group).rglob("*.yaml")]
        return f"{group}={name}: there is no configs/{group}/{name}.yaml{_nearest(name, list(map(str, options)))}"
    return f"{text}: {_wrong_type(error.__cause__)}" if isinstance(error.__cause__, OmegaConfBaseException) else text


def _wrong_type(error: OmegaConfBaseException) -> str:
    """OmegaConf's reason, and for a list how one is written."""
    reason = str(error).partition("\n")[0]
    return f"a list is needed, written [a,b] ({reason})" if "ListConfig" in reason else reason


def _nearest_key(path: str) -> str:
    """The nearest key to what is wrong in `path`, or the outermost ones: all together would fill a screen."""
    outermost = [field.name for field in fields(RunConfig)]
    groups = [folder.name for folder in CONFIGS.iterdir() if folder.is_dir()]
    if path in groups:
        return f"; a file in a folder {path}/ of your own needs `# @package {path}s.<its name>` as its first line"
    parts = path.split(".")
    known = _all_keys()
    if parts[0] in ("methods", "backbones") and parts[-1] in known:
        return f"; to add what its file does not hold, write +{path}=…"
    wrong = parts[-1] if parts[0] in outermost else parts[0]
    close = difflib.get_close_matches(wrong, [*groups, *outermost, *known], n=1, cutoff=0.5)
    return (
        f"; did you mean {close[0]}?" if close else f"; the outermost are {', '.join(outermost)} (--cfg job shows all)"
    )


def _nearest(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f"; did you mean {close[0]}?" if close else f"; known: {', '.join(sorted(set(known)))}"


def _all_keys() -> list[str]:
    """Keys of the schema, and of the settings that the shipped methods and backbones have."""
    nodes = [OmegaConf.to_container(OmegaConf.structured(kind)) for kind in (RunConfig, DialSimConfig, ScalingConfig)]
    for group in ("method", "backbone"):
        nodes += [OmegaConf.to_container(OmegaConf.load(path)) for path in (CONFIGS / group).rglob("*.yaml")]
    return [key for node in nodes for key in _keys(node)]


def _keys(node: Any) -> Iterator[str]:
    for key, value in node.items():
        yield str(key)
        if isinstance(value, dict):
            yield from _keys(value)
