"""Doing one job of a multirun: skipped where it is finished, and what becomes of it is written down."""

from __future__ import annotations

import io
import shlex
import sys
import traceback
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path

from omegaconf import DictConfig

from amem.errors import HarnessError, KeyGiven
from eval import tasks
from eval.composition import typed
from eval.multirun.jobs import JobRecord, Status, write


def do_job(
    folder: Path, number: int, overrides: Sequence[str], config: DictConfig, config_dir: str | None = None
) -> JobRecord:
    """Never raises but when it is interrupted: a job that fails leaves the others alone.

    The tables are in the job's run folder; a terminal that several jobs write to gets a line of each.
    """
    job = JobRecord(number, tuple(overrides), Status.STARTED, config_dir=config_dir)
    try:
        run = typed(config)
        write(folder, job)
        with redirect_stdout(io.StringIO()):
            path, skipped = tasks.run_unless_done(run)
        job = replace(job, status=Status.FINISHED, run=str(path))
        print(f"{job}: {'finished before' if skipped else 'finished'}, {path}", flush=True)
    except KeyGiven as error:
        # Neither the record nor the terminal repeats what a key stands in.
        job = replace(job, overrides=("overrides not kept",), status=Status.FAILED, error=str(error))
    except HarnessError as error:
        job = replace(job, status=Status.FAILED, error=str(error))
    except Exception as error:
        traceback.print_exc()
        job = replace(job, status=Status.FAILED, error=repr(error))
    if job.error:
        print(f"{job}: FAILED: {job.error}", file=sys.stderr, flush=True)
    write(folder, job)
    return job


def summary(folder: Path, jobs: Sequence[JobRecord]) -> str:
    """What the terminal shows at the end."""
    named = shlex.quote(str(folder))
    failed = [job for job in jobs if job.status is Status.FAILED]
    unfinished = [job for job in jobs if job.status in (Status.WAITING, Status.STARTED)]
    lines = [f"{len(jobs) - len(failed) - len(unfinished)} of {len(jobs)} jobs finished"]
    lines += [f"  FAILED {job}: {job.error}\n    alone: {job.command}" for job in failed]
    lines += [f"  not finished: {job}" for job in unfinished]
    if failed or unfinished:
        lines.append(f"`python -m eval rerun {named}` does these again, and no other")
    lines.append(f"`python -m eval collect {named}` makes one table and one figure of all")
    return "\n".join(lines) + "\n"
