"""`python -m eval judge RUN [OVERRIDE …]`: have a model judge a run's answers, and score the run again."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HELP = "have a model judge the answers of a run (optional; strict and lenient)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", type=Path, metavar="RUN", help="folder of a run")
    parser.add_argument("overrides", nargs="*", metavar="OVERRIDE", help="the judge, e.g. backbone=[gpt-4o-mini]")
    parser.add_argument("--repeats", type=int, default=1, help="verdicts an answer; above 1 its agreement with itself")
    parser.add_argument("--strictness", choices=["strict", "lenient", "both"], default="both")


def run(args: argparse.Namespace) -> int:
    from eval.judging import judge_run

    print(judge_run(args.run, args.overrides, attempts=args.repeats, strictness=args.strictness), end="")
    print(f"\nWritten to {args.run}", file=sys.stderr)
    return 0
