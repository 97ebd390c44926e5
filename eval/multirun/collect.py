"""All finished jobs of a multirun as the scores of one run: a row a backbone, method and setting that varies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from amem.errors import ResultsError
from eval.multirun.dialsim import DialSimFacts, dialsim_facts, dialsim_frame
from eval.multirun.jobs import JobRecord, Status, read, settings, varied
from eval.scoring.run_folder import StoredRun, read_run
from eval.scoring.scores import Scores
from eval.tables.meta import Named, RunMeta

if TYPE_CHECKING:
    import pandas as pd

TOLD_BY_ROWS = ("seed", "backbone", "method")
"""Keys that need no words of their own: seeds are taken together, backbones and methods have labels."""
REPEATS = 1_000
"""More than a single run has."""


@dataclass(frozen=True, slots=True)
class Collected:
    """`scores` of all jobs together; a row of the table is a method's name there."""

    scores: Scores
    meta: RunMeta
    values: Mapping[str, Mapping[str, str]]
    """What varies, by row: value by key, without `TOLD_BY_ROWS`."""
    methods: Mapping[str, str]
    """The method of each row."""
    labels: Mapping[str, str]
    """What the method of each row is called, without what varies."""
    missing: Sequence[JobRecord]
    """Jobs that are not in it: failed, cut off, or without scores."""
    dialsim: DialSimFacts | None = None
    """What the jobs share that are on DialSim; None on LoCoMo."""


def collect(folder: Path) -> Collected:
    """Raises ResultsError where no job has finished with scores, and where jobs can't stand in one table."""
    import pandas as pd

    jobs = read(folder)
    keys = [key for key in varied(jobs) if key not in TOLD_BY_ROWS]
    scored = [job for job in jobs if job.status is Status.FINISHED and _scores_path(job).is_file()]
    if not scored:
        raise ResultsError(f"{folder}: none of its {len(jobs)} jobs has finished with scores; see `eval rerun`")
    runs = {job.number: read_run(Path(str(job.run))) for job in scored}
    dialsim = dialsim_facts(folder, scored, runs)
    frames, named, values, methods, labels = [], {}, {}, {}, {}
    of_run: dict[str | None, tuple[JobRecord, dict[str, str]]] = {}
    for place, job in enumerate(scored):
        own = {key: settings(job).get(key, "") for key in keys}
        other, others = of_run.setdefault(job.run, (job, own))
        if others != own:
            raise ResultsError(f"{other} and {job} are one run, {job.run}: it has one set of scores, not two")
        meta = RunMeta.from_manifest(runs[job.number].manifest)
        run = runs[job.number]
        frame = dialsim_frame(run, Path(str(job.run))) if dialsim else _frame(_scores_path(job))
        for method in frame["method"].unique():
            row, label = _row_name(method, own), meta.method(method).label
            named[row], values[row], methods[row], labels[row] = Named(_row_label(label, own)), own, method, label
        frame["method"] = [_row_name(method, own) for method in frame["method"]]
        frame["repeat"] += REPEATS * place
        frames.append(frame)
    whole = _once(pd.concat(frames, ignore_index=True))
    metrics = tuple(name for name in ("f1_amem_set", "f1_locomo", "bleu1") if name in whole)
    return Collected(
        scores=Scores(whole, metrics),
        meta=_meta(folder, list(runs.values()), named, keys),
        values=values,
        methods=methods,
        labels=labels,
        missing=[job for job in jobs if job not in scored],
        dialsim=dialsim,
    )


def _frame(path: Path) -> pd.DataFrame:
    import pandas as pd

    try:
        return pd.read_parquet(path)
    except (OSError, ValueError) as error:
        raise ResultsError(
            f"{path}: can't be read ({error}); `python -m eval score {path.parent}` writes it"
        ) from error


def _scores_path(job: JobRecord) -> Path:
    return Path(str(job.run)) / "scores.parquet"


def _row_name(method: str, own: Mapping[str, str]) -> str:
    return " ".join([method, *(f"{key}={value}" for key, value in own.items())])


def _row_label(label: str, own: Mapping[str, str]) -> str:
    return ", ".join([label, *(f"{key}={value}" for key, value in own.items())])


def _once(frame: pd.DataFrame) -> pd.DataFrame:
    """Without answers that several jobs share: a run that two jobs ask for is one run."""
    keys = ["backbone", "method", "question_id", "seed"]
    return frame.drop_duplicates(keys).reset_index(drop=True)


def _meta(folder: Path, runs: Sequence[StoredRun], methods: Mapping[str, Named], keys: Sequence[str]) -> RunMeta:
    each = [RunMeta.from_manifest(run.manifest) for run in runs]
    same = {meta.settings for meta in each}
    return replace(
        each[0],
        data="; ".join(dict.fromkeys(meta.data for meta in each)),
        is_sample=any(meta.is_sample for meta in each),
        comparable=all(meta.comparable for meta in each),
        backbones=_backbones(each),
        methods=dict(methods),
        prompts=_joined(meta.prompts for meta in each),
        settings=f"varied: {', '.join(keys) or 'seed'}" if len(same) > 1 else each[0].settings,
        seeds=tuple(sorted({seed for meta in each for seed in meta.seeds})),
        run=f"multirun {folder.name}",
    )


def _backbones(each: Sequence[RunMeta]) -> dict[str, Named]:
    """Jobs may have several models under one name; the row says which is its own."""
    labels = _joined({name: named.label for name, named in meta.backbones.items()} for meta in each)
    named = {name: named for meta in each for name, named in meta.backbones.items()}
    return {name: replace(named[name], label=label) for name, label in labels.items()}


def _joined(each: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Every value that a name has, once."""
    found: dict[str, dict[str, None]] = {}
    for values in each:
        for name, value in values.items():
            found.setdefault(name, {})[value] = None
    return {name: ", ".join(values) for name, values in found.items()}
