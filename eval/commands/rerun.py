"""`python -m eval rerun MULTIRUN [NUMBER …]`: do the jobs again that failed or were cut off, or some of them."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "Do the jobs of a multirun again that failed or were cut off; a finished one is left alone"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("multirun", type=Path, metavar="MULTIRUN", help="folder of a multirun: results/multirun/…")
    parser.add_argument(
        "numbers", type=int, nargs="*", metavar="NUMBER", help="only these (default: all that are not finished)"
    )


def run(args: argparse.Namespace) -> int:
    from amem.errors import ConfigurationError
    from eval.composition import composed, quoted
    from eval.multirun.jobs import Status, read
    from eval.multirun.work import do_job, summary

    jobs = {job.number: job for job in read(args.multirun)}
    for number in args.numbers:
        if number not in jobs:
            raise ConfigurationError(f"{args.multirun} has no job {number}; it has {', '.join(map(str, jobs))}")
    # Beside the multirun, wherever both were moved to, and from whatever folder this is called.
    results = args.multirun.resolve().parents[1]
    beside = [f"results_dir={quoted(results)}"] if args.multirun.resolve().parent.name == "multirun" else []
    for number in args.numbers or [n for n, job in jobs.items() if job.status is not Status.FINISHED]:
        job = jobs[number]
        config = composed([*job.overrides, *beside], job.config_dir)
        jobs[number] = do_job(args.multirun, number, job.overrides, config, job.config_dir)
    print(summary(args.multirun, list(jobs.values())), end="")
    return 0 if all(job.status is Status.FINISHED for job in jobs.values()) else 1
