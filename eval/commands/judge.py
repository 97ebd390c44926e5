"""`python -m eval judge RUN [OVERRIDE …]`: have a model judge a run's answers, and score the run again."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from eval.composition import compose
from eval.override_arguments import add_override_arguments

HELP = "have a model judge the answers of a run (optional; strict and lenient)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", type=Path, metavar="RUN", help="folder of a run")
    add_override_arguments(parser, "the judge, e.g. backbone=[gpt-4o-mini]")
    parser.add_argument("--repeats", type=int, default=1, help="verdicts an answer; above 1 its agreement with itself")
    parser.add_argument("--strictness", choices=["strict", "lenient", "both"], default="both")


def run(args: argparse.Namespace) -> int:
    from eval.judging import judge_run

    config = compose(args.overrides, args.config_dir)
    print(judge_run(args.run, config, attempts=args.repeats, strictness=args.strictness), end="")
    print(f"\nWritten to {args.run}", file=sys.stderr)
    return 0
