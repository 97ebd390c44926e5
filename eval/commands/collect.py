"""`python -m eval collect MULTIRUN`: all jobs in one table and one figure."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "One table and one figure of all jobs of a multirun; no model is called"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("multirun", type=Path, metavar="MULTIRUN", help="folder of a multirun: results/multirun/…")


def run(args: argparse.Namespace) -> int:
    from eval.figures.collected import draw
    from eval.multirun.collect import collect
    from eval.reporting import write_tables
    from eval.tables.collected import collected_table
    from eval.tables.text import to_text

    collected = collect(args.multirun)
    table = collected_table(collected)
    write_tables(args.multirun, [table])
    draw(args.multirun / "figure", collected)
    print(to_text(table), end="")
    print(f"\nWritten to {args.multirun}: table.md, .csv, .tex, .html, figure.pdf, .png")
    return 0
