"""`python -m eval figures RUN`: a run's figures as PDF and PNG."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "Draw a run's figures as PDF and PNG: Table 1 as bars, k, tokens, evidence and cost against F1, notes by t-SNE"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", nargs="?", type=Path, metavar="RUN", help="folder of a run (default: newest in results)")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where to write them (default: RUN/figures)")


def run(args: argparse.Namespace) -> int:
    from eval.figures.of_run import figures_of
    from eval.scaling.report import scaling_parts
    from eval.scoring.run_folder import is_scaling, newest_run

    folder = args.run or newest_run(Path("results"))
    figures = [scaling_parts(folder)[1]] if is_scaling(folder) else figures_of(folder)
    for figure in figures:
        for path in figure.save(args.out or folder / "figures"):
            print(path)
    return 0
