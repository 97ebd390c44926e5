"""No key in a run's configuration: all of it goes into the manifest, and a multirun's overrides into its records."""

from __future__ import annotations

from dataclasses import asdict

from amem.lm.no_keys import check_settings, refuse_keys, refuse_shapes
from eval.config import RunConfig

_NODES = "set the variable in the environment of each node (of its `ray start`)"
_TRACKER = (
    "set MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD, or MLFLOW_TRACKING_TOKEN, in the environment instead "
    "(a database has a variable or file of its own, such as PGPASSWORD)"
)


def check_no_keys(config: RunConfig) -> None:
    """Raises ConfigurationError that names the place and the way out, and repeats no value."""
    for name, backbone in config.backbones.items():
        check_settings(backbone.settings, f"backbones.{name}.settings")
    refuse_keys(config.executor.runtime_env, "executor.runtime_env", _NODES)
    refuse_shapes({"uri": config.tracking.uri}, "tracking", _TRACKER)
    refuse_shapes(asdict(config), "", "a configuration is written into the manifest: leave it out")
