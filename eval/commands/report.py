"""`python -m eval report RUN`: a run as one HTML file that opens from disk."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "Write a run's report: one HTML file with its tables, figures, questions, prompts and memories"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", nargs="?", type=Path, metavar="RUN", help="folder of a run (default: newest in results)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where to write it (default: RUN/report.html)")


def run(args: argparse.Namespace) -> int:
    from eval.report.build import write_report
    from eval.scoring.run_folder import newest_run

    for path in write_report(args.run or newest_run(Path("results")), args.out):
        print(f"{path} ({path.stat().st_size / 1e6:.1f} MB)")
    return 0
