"""`python -m eval audit-paper`: the published tables against their own arithmetic."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "Recompute the paper's tables from their own numbers and list every contradiction"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, metavar="DIR", help="write audit.md and audit.html there (default: print)")
    parser.add_argument("--tables", type=Path, metavar="DIR", help="folder of the CSV files (default: results/paper)")


def run(args: argparse.Namespace) -> int:
    from eval.audit import page
    from eval.audit.audit import audit
    from eval.audit.source import read_published
    from eval.runner.files import write_text
    from eval.tables.paper import FOLDER

    findings = audit(read_published(args.tables or FOLDER))
    if args.out is None:
        print(page.markdown(findings), end="")
        return 0
    write_text(args.out / "audit.md", page.markdown(findings))
    write_text(args.out / "audit.html", page.html(findings))
    print(f"{len(findings)} findings written to {args.out / 'audit.md'} and {args.out / 'audit.html'}")
    return 0
