"""Every method on a few turns and questions of the samples: first without a model, then with the embedded one."""

from __future__ import annotations

import argparse
import sys
import time

from eval.composition import CONFIGS, compose
from eval.run import run as run_configuration

HELP = "run every method on a few turns and questions, without a model and then with the embedded one"

_TABLE_1 = "method=[locomo,readagent,memorybank,memgpt,amem,rag]"
_LOCOMO = ["dataset=sample", "dataset.sessions=1", "dataset.questions=1"]
_SMALL = ["name=smoke", "retrieve.k=3", "link.k=1"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--results-dir", default="results/smoke", help="where the runs are written")
    parser.add_argument("--scripted-only", action="store_true", help="leave the embedded model out")


def run(args: argparse.Namespace) -> int:
    _smoke(args, "every method", ["backbone=[scripted]", *_LOCOMO, "dataset.conversations=[0]", _all_methods()])
    _smoke(args, "DialSim", ["backbone=[scripted]", "dataset=dialsim_sample", "dialsim.sessions=4", _TABLE_1])
    if not args.scripted_only:
        few = ["dataset.conversations=[1]", "dataset.categories=[single_hop,adversarial]"]
        _smoke(args, "the embedded model", ["backbone=[embedded]", *_LOCOMO, *few, _TABLE_1])
    return 0


def _smoke(args: argparse.Namespace, what: str, overrides: list[str]) -> None:
    started = time.monotonic()
    folder = run_configuration(compose([*_SMALL, *overrides, f"results_dir={args.results_dir}"]))
    print(f"smoke: {what} took {time.monotonic() - started:.0f} s, see {folder}", file=sys.stderr)


def _all_methods() -> str:
    folder = CONFIGS / "method"
    names = sorted(path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.yaml"))
    return f"method=[{','.join(names)}]"
