"""`python -m eval audit-discrepancies [OVERRIDE …]`: what each difference between paper and released code is worth."""

from __future__ import annotations

import argparse
import sys

from eval.override_arguments import add_override_arguments

HELP = "Run the paper's A-Mem with each switch flipped to the released value, one at a time"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_override_arguments(
        parser,
        "of configs/experiment/discrepancies.yaml, such as dataset.sessions=2, backbone=[gpt-4o-mini], link.k=10",
    )


def run(args: argparse.Namespace) -> int:
    from contextlib import ExitStack

    from eval.composition import compose
    from eval.discrepancies.report import report_discrepancies
    from eval.discrepancies.variants import with_flips
    from eval.prepared import prepare
    from eval.run import execute
    from eval.tables.text import to_text

    config = with_flips(compose(["experiment=discrepancies", *args.overrides], args.config_dir))
    with ExitStack() as stack:
        prepared = prepare(config, stack)
        execute(prepared)
    print(to_text(report_discrepancies(prepared.folder, config.scoring)), end="")
    print(f"\nWritten to {prepared.folder}", file=sys.stderr)
    return 0
