"""Every job of a multirun is composed and checked before the first one starts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Glob, Override
from hydra.errors import HydraException

from amem.errors import ConfigurationError, KeyGiven
from eval.composition import compose, config_hash, explain
from eval.config import RunConfig
from eval.multirun.jobs import Overrides, key_of

_FOLDERS = ("results_dir", "hydra.sweep.dir")


def check_jobs(overrides: Sequence[str], config_dir: str | None = None) -> list[Overrides] | None:
    """The overrides of each job, by number; raises ConfigurationError that names the first job that can't be run.

    `overrides` with their sweeps, as on the command line; `config_dir` is Hydra's `--config-dir`. Two jobs that would
    be one run are refused: what is scored or kept differently is still one folder. None: jobs of another sweeper than
    Hydra's basic one are not known beforehand, nor what a glob stands for; those are checked when they start.
    """
    parsed = [override for override in _parsed(overrides) if not override.key_or_group.startswith("hydra")]
    if any(override.startswith("hydra/sweeper") for override in overrides):
        return None
    if any(isinstance(override.value(), Glob) for override in parsed):
        return None
    jobs = [tuple(job) for job in BasicSweeper.split_arguments(parsed, None)[0]]
    first: dict[str, int] = {}
    for number, job in enumerate(jobs):
        try:
            run = config_hash(compose(job, config_dir))
        except KeyGiven:
            # To name the job by its overrides would repeat the key.
            raise
        except ConfigurationError as error:
            raise ConfigurationError(f"job {number} ({' '.join(job)}): {error}") from error
        same = first.setdefault(run, number)
        if jobs[same] != job:
            raise ConfigurationError(
                f"job {same} ({' '.join(jobs[same])}) and job {number} ({' '.join(job)}) would be one run: they differ "
                "in nothing that changes an answer. Leave one out (`python -m eval score` scores a run in other ways)"
            )
    return jobs


def folder_of(overrides: Sequence[str], jobs: Sequence[Overrides] | None) -> Path:
    """Where the records of several jobs go, so that the same command finds what it left."""
    given = {override.key_or_group: override.value() for override in _parsed(overrides)}
    if "hydra.sweep.dir" in given:
        return Path(str(given["hydra.sweep.dir"]))
    results = Path(str(given.get("results_dir", RunConfig.results_dir)))
    return results / "multirun" / key_of([tuple(overrides)] if jobs is None else jobs)


def _parsed(overrides: Sequence[str]) -> list[Override]:
    try:
        parsed = OverridesParser.create().parse_overrides(list(overrides))
    except HydraException as error:
        raise ConfigurationError(explain(error)) from error
    for override in parsed:
        if override.key_or_group in _FOLDERS and override.is_sweep_override():
            raise ConfigurationError(f"{override.input_line}: the jobs of one command share one folder of results")
    return parsed
