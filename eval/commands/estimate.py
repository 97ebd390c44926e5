"""`python -m eval estimate [OVERRIDE …]`: calls, tokens, USD and hours of a run, before anything is sent."""

from __future__ import annotations

import argparse
from pathlib import Path

from amem.errors import ConfigurationError
from eval.composition import compose
from eval.override_arguments import add_override_arguments

HELP = "calls, tokens, USD and hours of a run, by backbone and method, before anything is sent"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_override_arguments(parser)
    parser.add_argument("--conversations", type=int, default=1, metavar="N", help="run so many dry (default: 1)")
    parser.add_argument("--questions", type=int, default=5, metavar="N", help="of each category (default: 5)")
    parser.add_argument("--records", type=Path, metavar="FILE", help="record store to take lengths and times from")
    parser.add_argument("--no-records", action="store_true", help="shipped assumptions alone")
    parser.add_argument("--against", type=Path, metavar="RUN", help="print the error against this finished run instead")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write it as JSON too")


def run(args: argparse.Namespace) -> int:
    from eval.estimate.estimate import estimate
    from eval.estimate.finished import asked_in, check_data, configuration_of, errors, other_prompts
    from eval.estimate.report import comparison, report
    from eval.runner.files import write_json

    if args.against and args.overrides:
        raise ConfigurationError("estimate: --against takes the run's own configuration; leave the overrides out")
    if min(args.conversations, args.questions) < 1:
        raise ConfigurationError("estimate: --conversations and --questions must be at least 1")
    config = configuration_of(args.against) if args.against else compose(args.overrides, args.config_dir)
    asked = {}
    if args.against:
        check_data(args.against, config)
        asked = asked_in(args.against)
    records = args.records or Path(config.records.path or Path(config.results_dir) / "records.sqlite")
    made = estimate(
        config,
        records=None if args.no_records else records,
        conversations=args.conversations,
        questions=args.questions,
    )
    print(report(made), end="")
    if args.against:
        print("\n" + comparison(errors(made, asked)), end="")
        for backbone in other_prompts(args.against, config):
            print(f"{backbone}: the prompt pack has changed since that run, so that tokens differ for this reason too")
    if args.out:
        write_json(args.out, made.to_json())
    return 0
