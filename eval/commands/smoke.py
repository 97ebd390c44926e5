"""Every method on a few turns and questions of the sample: first without a model, then with the embedded one."""

from __future__ import annotations

import argparse
import sys
import time

from eval.composition import CONFIGS, compose
from eval.run import run as run_configuration

HELP = "run every method on a few turns and questions, without a model and then with the embedded one"

_SCRIPTED = [
    "backbone=[scripted]",
    "dataset=sample",
    "dataset.conversations=[0]",
    "dataset.sessions=2",
    "dataset.questions=1",
]
_EMBEDDED = [
    "backbone=[embedded]",
    "dataset=sample",
    "dataset.conversations=[1]",
    "dataset.sessions=1",
    "dataset.questions=1",
]
_DIALSIM = ["backbone=[scripted]", "dataset=dialsim_sample", "dialsim.sessions=4"]
_SMALL = ["name=smoke", "retrieve.k=3", "link.k=1"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--results-dir", default="results/smoke", help="where the runs are written")
    parser.add_argument("--scripted-only", action="store_true", help="leave the embedded model out")


def _smoke(results_dir: str, overrides: list[str]) -> None:
    started = time.monotonic()
    folder = run_configuration(compose([*_SMALL, *overrides, _all_methods(), f"results_dir={results_dir}"]))
    print(
        f"smoke: {overrides[0]} {overrides[1]} took {time.monotonic() - started:.0f} s, see {folder}", file=sys.stderr
    )


def run(args: argparse.Namespace) -> int:
    _smoke(args.results_dir, _SCRIPTED)
    _smoke(args.results_dir, _DIALSIM)
    if not args.scripted_only:
        _smoke(args.results_dir, _EMBEDDED)
    return 0


def _all_methods() -> str:
    folder = CONFIGS / "method"
    names = sorted(path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.yaml"))
    return f"method=[{','.join(names)}]"
