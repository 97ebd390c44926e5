"""The Hydra side of `python -m eval`: one job is one run."""

from __future__ import annotations

import os
import sys

import hydra
from hydra.errors import HydraException
from omegaconf import DictConfig
from omegaconf.errors import OmegaConfBaseException

from amem.errors import ConfigurationError, HarnessError
from eval.composition import CONFIGS, explain, register_schema, typed


def run_with_hydra(arguments: list[str]) -> int:
    """Compose and run; `arguments` are Hydra's own (overrides, -m, --cfg job, …)."""
    register_schema()
    failures: list[HarnessError] = []

    @hydra.main(config_path=str(CONFIGS), config_name="config", version_base="1.3")
    def job(config: DictConfig) -> None:
        from eval.tasks import run

        try:
            run(typed(config))
        except HarnessError as error:
            # Hydra prints a traceback of its own for whatever a job raises; an error meant for people must not get one.
            failures.append(error)

    sys.argv = ["python -m eval", *arguments]
    # Without it Hydra prints its own errors and exits; with it they arrive here and are told in one line.
    os.environ["HYDRA_FULL_ERROR"] = "1"
    try:
        job()
    except (HydraException, OmegaConfBaseException) as error:
        raise ConfigurationError(explain(error)) from error
    if failures:
        raise failures[0]
    return 0
