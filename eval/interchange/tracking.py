"""What a finished run tells an experiment tracker: its configuration, its means, and its tables. Off by default."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from amem.errors import ConfigurationError
from eval.config import TrackingConfig
from eval.dialsim.scores import Group, of_group
from eval.scored import scored_run
from eval.scoring.figures import Figure, cells, figure_of, overall
from eval.scoring.run_folder import read_run
from eval.scoring.scores import Protocol, Scores

FILES = ("manifest.json", "table.csv", "table.md", "table.html", "scores.parquet")
KINDS = ("none", "mlflow", "wandb")


def check_tracking(config: TrackingConfig) -> None:
    """Raises ConfigurationError, before anything runs, for an unknown tracker or one that is not installed."""
    from importlib.util import find_spec

    if config.kind not in KINDS:
        raise ConfigurationError(f"tracking.kind is {config.kind!r}; known are {', '.join(KINDS)}")
    if config.kind != "none" and find_spec(config.kind) is None:
        raise ConfigurationError(f"{config.kind} is not installed: make extras EXTRAS={config.kind}, or tracking=none")


def track(folder: Path, config: TrackingConfig) -> None:
    """Log the finished run in `folder`; a run that is scored again is logged again, under the same name."""
    if config.kind == "none":
        return
    run = read_run(folder)
    parameters = dict(flat(run.manifest["config"])) | {"key": run.manifest["key"], "commit": run.manifest["commit"]}
    log = {"mlflow": _mlflow, "wandb": _wandb}[config.kind]
    log(config, folder, run.manifest["name"], parameters, means(folder))


def means(folder: Path) -> dict[str, float]:
    """The overall means ×100 by `backbone/method/metric/which`, as the tables have them."""
    run = read_run(folder)
    scores = scored_run(run, folder).scores
    figures = [*_by_group(scores)] if run.is_dialsim else [*_overall(scores)]
    return {f"{f.backbone}/{f.method}/{f.metric}/{f.group}": f.mean for f in figures if f.mean == f.mean}


def _overall(scores: Scores) -> Iterator[Figure]:
    for metric in scores.metrics:
        yield from overall(scores, metric, Protocol.TRAP)


def _by_group(scores: Scores) -> Iterator[Figure]:
    for _, cell in cells(scores):
        for group in Group:
            if len(rows := of_group(cell, group)):
                for metric in (*scores.metrics, "accuracy", "day_recall"):
                    yield figure_of(scores, rows, scores.frame[metric], group=group, metric=metric)


def flat(value: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """Nested settings as `a.b.c` and their values; empty groups are left out."""
    found: list[tuple[str, Any]] = []
    for name, item in value.items():
        found += flat(item, f"{prefix}{name}.") if isinstance(item, Mapping) else [(prefix + name, item)]
    return found


def _mlflow(config: TrackingConfig, folder: Path, name: str, parameters: dict, figures: dict[str, float]) -> None:
    import mlflow

    if config.uri:
        mlflow.set_tracking_uri(config.uri)
    _choose_experiment(config)
    with mlflow.start_run(run_name=f"{name}-{parameters['key']}"):
        mlflow.log_params({_allowed(key): str(value)[:500] for key, value in parameters.items()})
        mlflow.log_metrics({_allowed(key): value for key, value in figures.items()})
        for path in _files(folder):
            mlflow.log_artifact(str(path))


def _choose_experiment(config: TrackingConfig) -> None:
    """A new experiment in an SQLite file keeps its files beside it; MLflow would leave them where it is started."""
    import mlflow

    kind, _, path = (config.uri or "").partition(":///")
    if kind == "sqlite" and mlflow.get_experiment_by_name(config.project) is None:
        mlflow.create_experiment(config.project, Path(path).resolve().with_suffix(".files").as_uri())
    mlflow.set_experiment(config.project)


def _wandb(config: TrackingConfig, folder: Path, name: str, parameters: dict, figures: dict[str, float]) -> None:
    """Beside the run's folder, where WANDB_DIR names no other; WANDB_MODE=offline needs no account and no network."""
    import wandb

    quiet = wandb.Settings(console="off", disable_code=True, disable_git=True, save_code=False, x_disable_stats=True)
    place, title = os.environ.get("WANDB_DIR", folder.parent), f"{name}-{parameters['key']}"
    with wandb.init(project=config.project, name=title, config=parameters, dir=place, settings=quiet) as run:
        run.log(figures)
        artifact = wandb.Artifact(title, type="run")
        for path in _files(folder):
            artifact.add_file(str(path))
        run.log_artifact(artifact)


def _files(folder: Path) -> list[Path]:
    return [folder / name for name in FILES if (folder / name).exists()]


def _allowed(name: str) -> str:
    """MLflow takes letters, digits, and these signs."""
    return re.sub(r"[^A-Za-z0-9_\-. /]", "_", name)
