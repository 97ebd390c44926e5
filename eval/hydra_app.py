"""The Hydra side of `python -m eval`: one job is one run."""

from __future__ import annotations

import os
import sys
from multiprocessing import current_process
from pathlib import Path

import hydra
from hydra._internal.utils import get_args_parser
from hydra.core.hydra_config import HydraConfig
from hydra.errors import HydraException
from hydra.types import RunMode
from omegaconf import DictConfig
from omegaconf.errors import OmegaConfBaseException

from amem.errors import ConfigurationError, HarnessError
from eval.composition import CONFIGS, explain, quoted, register_schema, typed
from eval.multirun.check import check_jobs, folder_of
from eval.multirun.jobs import prepare
from eval.runner.orphan import end_with


def run_with_hydra(arguments: list[str]) -> int:
    """Compose and run; `arguments` are Hydra's own (overrides, -m, --cfg job, …). Returns the exit code."""
    register_schema()
    failures: list[HarnessError] = []
    given = get_args_parser().parse_args(arguments)
    folder = _prepared(given.overrides, given.config_dir) if given.multirun and not given.cfg else None

    @hydra.main(config_path=str(CONFIGS), config_name="config", version_base="1.3")
    def job(config: DictConfig) -> None:
        if HydraConfig.get().mode == RunMode.MULTIRUN:
            _do_one_of_several(config)
            return
        from eval.tasks import run

        try:
            run(typed(config))
        except HarnessError as error:
            # Hydra prints a traceback of its own for whatever a job raises; an error meant for people must not get one.
            failures.append(error)

    sys.argv = ["python -m eval", *arguments, *([f"hydra.sweep.dir={quoted(folder)}"] if folder else [])]
    # Without it Hydra prints its own errors and exits; with it they arrive here and are told in one line.
    os.environ["HYDRA_FULL_ERROR"] = "1"
    try:
        job()
    except (HydraException, OmegaConfBaseException) as error:
        raise ConfigurationError(explain(error)) from error
    if failures:
        raise failures[0]
    return _told(folder) if folder and (folder / "jobs").is_dir() else 0


def _prepared(overrides: list[str], config_dir: str | None) -> Path:
    """The multirun's folder, with a record of every job that is known, so that none is forgotten if this is killed."""
    jobs = check_jobs(overrides, config_dir)
    folder = folder_of(overrides, jobs)
    if jobs is not None:
        prepare(folder, jobs, config_dir)
    return folder


def _do_one_of_several(config: DictConfig) -> None:
    from eval.multirun.work import do_job

    if current_process().name.startswith("LokyProcess"):
        # A worker of joblib: a command that is killed must not go on spending in its workers.
        end_with(os.getppid())
    given = HydraConfig.get()
    sources = [source.path for source in given.runtime.config_sources if source.provider == "command-line"]
    do_job(Path(given.sweep.dir), given.job.num, list(given.overrides.task), config, sources[0] if sources else None)


def _told(folder: Path) -> int:
    from eval.multirun.jobs import Status, read
    from eval.multirun.work import summary

    jobs = read(folder)
    print(summary(folder, jobs), end="")
    return 0 if all(job.status is Status.FINISHED for job in jobs) else 1
