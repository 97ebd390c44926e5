"""`<multirun>/jobs/<number>.json`: what a job was given, and what became of it."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from amem.errors import ResultsError
from eval.runner.files import write_json

NOT_DECISIVE = ("hydra/launcher", "hydra.launcher", "executor", "budget", "records", "scoring")
"""Overrides under which a multirun is the same one: they say how it is done, not what."""


class Status(StrEnum):
    STARTED = "started"
    """It runs, or was killed."""
    FINISHED = "finished"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class JobRecord:
    number: int
    overrides: tuple[str, ...]
    status: Status
    run: str | None = None
    """The run's folder, once the job has finished."""
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


def key_of(overrides: Iterable[str]) -> str:
    """Short name of a multirun: the same for the same overrides."""
    decisive = [override for override in overrides if not override.lstrip("+~").startswith(NOT_DECISIVE)]
    return hashlib.sha256(json.dumps(decisive).encode()).hexdigest()[:10]


def write(folder: Path, record: JobRecord) -> None:
    write_json(_path(folder, record.number), asdict(record))


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
        return JobRecord(**{**value, "overrides": tuple(value["overrides"]), "status": Status(value["status"])})
    except (ValueError, KeyError, TypeError) as error:
        raise ResultsError(f"{path}: not the record of a job ({error}); delete it and run the command again") from error
