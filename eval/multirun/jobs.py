"""`<multirun>/jobs/<number>.json`: what a job was given, and what became of it."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from amem.errors import ConfigurationError, ResultsError
from eval.runner.files import write_json

NOT_DECISIVE = ("hydra/launcher", "hydra.launcher", "executor", "budget", "records", "scoring")
"""Overrides under which a multirun is the same one: they say how it is done, not what."""


Overrides = tuple[str, ...]
"""Of one job."""


class Status(StrEnum):
    WAITING = "waiting"
    """It has not begun, or its run's folder is not there any more."""
    STARTED = "started"
    """It runs, or was killed."""
    FINISHED = "finished"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class JobRecord:
    number: int
    overrides: Overrides
    status: Status
    run: str | None = None
    """The run's folder, once the job has finished; in the file from the multirun's folder, so that both can move."""
    error: str | None = None
    config_dir: str | None = None
    """Hydra's `--config-dir`, where one was given."""

    def __str__(self) -> str:
        return f"job {self.number} ({' '.join(self.overrides)})"

    @property
    def command(self) -> str:
        """The command line that does this job alone."""
        own = ["--config-dir", self.config_dir] if self.config_dir else []
        return shlex.join(["python", "-m", "eval", *own, *self.overrides])


def key_of(jobs: Iterable[Overrides]) -> str:
    """Short name of a multirun: the same for the same jobs, in whatever order they and their overrides stand."""
    return hashlib.sha256(json.dumps(_decisive(jobs)).encode()).hexdigest()[:10]


def prepare(folder: Path, jobs: Sequence[Overrides], config_dir: str | None) -> None:
    """A record of each job before any begins; raises ConfigurationError where the folder holds those of other jobs."""
    paths = sorted((folder / "jobs").glob("*.json"))
    if paths and key_of(_read(path).overrides for path in paths) != key_of(jobs):
        raise ConfigurationError(
            f"hydra.sweep.dir={folder} holds the jobs of another command, such as {_read(paths[0])}; "
            "name another folder"
        )
    for path in paths:
        path.unlink()
    for number, overrides in enumerate(jobs):
        write(folder, JobRecord(number, overrides, Status.WAITING, config_dir=config_dir))


def _decisive(jobs: Iterable[Overrides]) -> list[list[str]]:
    kept = ([each for each in job if not each.lstrip("+~").startswith(NOT_DECISIVE)] for job in jobs)
    return sorted(map(sorted, kept))


def write(folder: Path, record: JobRecord) -> None:
    run = record.run and os.path.relpath(record.run, folder)
    write_json(_path(folder, record.number), asdict(replace(record, run=run)))


def read(folder: Path) -> list[JobRecord]:
    """All jobs, by number; raises ResultsError where the folder is none of a multirun."""
    paths = list((folder / "jobs").glob("*.json"))
    if not paths:
        raise ResultsError(f"{folder} holds no jobs: name the folder that `python -m eval -m …` printed at its end")
    return sorted(map(_read, paths), key=lambda record: record.number)


def varied(records: Sequence[JobRecord]) -> list[str]:
    """The keys whose values differ between jobs, in the order of the command."""
    values: dict[str, set[str]] = {}
    for record in records:
        for key, value in settings(record).items():
            values.setdefault(key, set()).add(value)
    return [key for key, found in values.items() if len(found) > 1]


def settings(record: JobRecord) -> dict[str, str]:
    """The job's overrides by key."""
    return {key.lstrip("+"): value for key, _, value in (override.partition("=") for override in record.overrides)}


def _path(folder: Path, number: int) -> Path:
    return folder / "jobs" / f"{number}.json"


def _read(path: Path) -> JobRecord:
    try:
        value: dict[str, Any] = json.loads(path.read_text("utf-8"))
        record = JobRecord(**{**value, "overrides": tuple(value["overrides"]), "status": Status(value["status"])})
        run = None if record.run is None else Path(os.path.normpath(path.parents[1] / record.run))
    except (ValueError, KeyError, TypeError) as error:
        raise ResultsError(f"{path}: not the record of a job ({error}); delete it and run the command again") from error
    if run and not (run / "manifest.json").is_file():
        return replace(record, status=Status.WAITING, run=None)
    return replace(record, run=None if run is None else str(run))
