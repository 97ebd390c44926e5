"""Every job of a multirun is composed and checked before the first one starts."""

from __future__ import annotations

from collections.abc import Sequence

from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Glob
from hydra.errors import HydraException

from amem.errors import ConfigurationError
from eval.composition import compose, explain


def check_jobs(overrides: Sequence[str], config_dir: str | None = None) -> None:
    """Raises ConfigurationError that names the first job that can't be run; `config_dir` is Hydra's `--config-dir`.

    `overrides` with their sweeps, as on the command line. Jobs of another sweeper than Hydra's basic one are not known
    beforehand, nor what a glob stands for: those are checked when they start.
    """
    own = [override for override in overrides if not override.lstrip("+~").startswith("hydra")]
    if any(override.startswith("hydra/sweeper") for override in overrides):
        return
    try:
        parsed = OverridesParser.create().parse_overrides(own)
    except HydraException as error:
        raise ConfigurationError(explain(error)) from error
    if any(isinstance(override.value(), Glob) for override in parsed):
        return
    for number, job in enumerate(BasicSweeper.split_arguments(parsed, None)[0]):
        try:
            compose(job, config_dir)
        except ConfigurationError as error:
            raise ConfigurationError(f"job {number} ({' '.join(job)}): {error}") from error
