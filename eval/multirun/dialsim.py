"""DialSim's runs of a multirun: how their answers are scored, and what one table of all needs them to share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from amem.errors import ResultsError
from eval.dialsim.judge import stored_judge
from eval.dialsim.scores import IdkReference, idk_of, score_dialsim, shared_facts
from eval.multirun.jobs import JobRecord, settings
from eval.scoring.run_folder import StoredRun

if TYPE_CHECKING:
    import pandas as pd

Runs = Mapping[int, StoredRun]
"""By the number of the job."""


@dataclass(frozen=True, slots=True)
class DialSimFacts:
    settings: Mapping[str, str]
    """Version, names, format and style; all of its values where jobs differ in one."""
    idk: IdkReference
    judges: tuple[str | None, ...]
    """Who judged answers in words, each once; None: nobody did."""


def dialsim_facts(folder: Path, jobs: Sequence[JobRecord], runs: Runs) -> DialSimFacts | None:
    """None where the jobs are on LoCoMo. Raises ResultsError where they can't stand in one table."""
    on_dialsim = [job for job in jobs if runs[job.number].is_dialsim]
    if not on_dialsim:
        return None
    if len(on_dialsim) < len(jobs):
        others = [job for job in jobs if job not in on_dialsim]
        raise ResultsError(
            f"{folder}: {_numbers(on_dialsim)} on DialSim and {_numbers(others)} on LoCoMo, whose measures share no "
            "table: make two multiruns of them, which find what is recorded"
        )
    facts = [shared_facts(runs[job.number].answers) for job in jobs]
    judges = (stored_judge(Path(str(job.run))) for job in jobs)
    return DialSimFacts(
        settings={name: ", ".join(dict.fromkeys(each[name] for each in facts)) for name in facts[0]},
        idk=_shared_idk(folder, jobs, runs),
        judges=tuple(dict.fromkeys(None if judge is None else judge.name for judge in judges)),
    )


def dialsim_frame(run: StoredRun, folder: Path) -> pd.DataFrame:
    """Accuracy and F1 as the run's configuration has them: `score --idk` leaves others in its scores.parquet."""
    judge = stored_judge(folder)
    return score_dialsim(run.answers, idk=idk_of(run.manifest), judge=judge, metrics=("f1_amem_set",)).frame


def _shared_idk(folder: Path, jobs: Sequence[JobRecord], runs: Runs) -> IdkReference:
    # Jobs that differ in how they are scored share a run, which is scored as the last of them wants it.
    wanted = {str(settings(job).get("scoring.idk", idk_of(runs[job.number].manifest))) for job in jobs}
    found = {idk_of(runs[job.number].manifest) for job in jobs}
    if len(wanted | found) > 1:
        raise ResultsError(
            f"{folder}: scoring.idk is not the same for all jobs ({', '.join(sorted(wanted | found))}), so that their "
            "means are over different questions or references: give the multirun's command again with one scoring.idk"
        )
    return found.pop()


def _numbers(jobs: Sequence[JobRecord]) -> str:
    numbers = ", ".join(str(job.number) for job in jobs)
    return f"job {numbers} is" if len(jobs) == 1 else f"jobs {numbers} are"
