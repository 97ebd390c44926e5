"""`python -m eval records export|import FILE`: a run's model replies as one file, to be replayed without a key."""

from __future__ import annotations

import argparse
from pathlib import Path

from amem.errors import ResultsError
from amem.lm.records import RecordStore

HELP = "export the recorded replies to one file, or import such a file"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=["export", "import", "count"])
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the export, such as records.jsonl.xz")
    parser.add_argument("--overwrite", action="store_true", help="export into a file that is there already")
    parser.add_argument("--store", type=Path, default=Path("results/records.sqlite"), help="default: %(default)s")


def run(args: argparse.Namespace) -> int:
    if args.action != "import" and not args.store.is_file():
        raise ResultsError(f"there is no record store {args.store}; name another with --store")
    if args.action != "count" and args.file is None:
        raise ResultsError(f"records {args.action} needs a FILE")
    if args.action == "export" and args.file.exists() and not args.overwrite:
        raise ResultsError(f"{args.file} is there already, and may hold other replies; name another, or --overwrite")
    with RecordStore(args.store) as store:
        counts = {
            "export": lambda: store.export(args.file),
            "import": lambda: store.import_(args.file),
            "count": store.counts,
        }[args.action]()
    new = "new " if args.action == "import" else ""
    print(", ".join(f"{count} {new}{table}" for table, count in counts.items()))
    return 0
