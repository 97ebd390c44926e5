"""`python -m eval memory-cost RUN`: what taking in one turn cost, beside the paper's section 4.4."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "Calls, tokens, seconds and USD of taking one turn into a memory"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", type=Path, metavar="RUN", help="folder of a run")


def run(args: argparse.Namespace) -> int:
    from eval.memories.tables import memory_table
    from eval.tables.text import to_text

    print(to_text(memory_table(args.run, "memory-cost")), end="")
    return 0
