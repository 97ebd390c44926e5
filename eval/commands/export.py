"""`python -m eval export RUN --to inspect`: a run in the format of another tool."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "Export a run as Inspect logs (inspect view) or as a Hugging Face data set"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", type=Path, metavar="RUN", help="folder of a run, such as results/table1-0123456789")
    parser.add_argument("--to", required=True, choices=("inspect", "datasets"), help="the format")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where to write it (default: RUN/<format>)")


def run(args: argparse.Namespace) -> int:
    out = args.out or args.run / args.to
    if args.to == "datasets":
        from eval.interchange.hub_dataset import write_dataset

        print(write_dataset(args.run, out))
        return 0
    from eval.interchange.inspect_log import write_inspect_logs

    for path in write_inspect_logs(args.run, out):
        print(path)
    return 0
