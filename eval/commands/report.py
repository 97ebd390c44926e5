"""`python -m eval report RUN`: a run as one HTML file that opens from disk."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "Write a run's report: one HTML file with its tables, figures, questions, prompts and memories"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", type=Path, metavar="RUN", help="folder of a run, such as results/table1-0123456789")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where to write it (default: RUN/report.html)")


def run(args: argparse.Namespace) -> int:
    from eval.report.build import write_report

    for path in write_report(args.run, args.out):
        print(f"{path} ({path.stat().st_size / 1e6:.1f} MB)")
    return 0
