"""`python -m eval score RUN`: score a run's stored answers again, without a call.

What is not given is as the run's own configuration has it. Tables and scores in the run's folder are written anew.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

HELP = "Score the stored answers of a run again and write its tables anew; no model is called"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", type=Path, metavar="RUN", help="folder of a run, such as results/table1-0123456789")
    parser.add_argument("--max-failure-share", type=float, help="refuse a table above this share")
    parser.add_argument("--allow-failures", action="store_true", default=None, help="print the table whatever failed")
    parser.add_argument("--metrics", nargs="+", metavar="NAME", help="score only these")
    parser.add_argument("--idk", help="DialSim's reference where nothing can be known: phrase, option, excluded")
    parser.add_argument("--errata", metavar="FILE", help="YAML of corrected answers; both scores are shown")
    parser.add_argument(
        "--bertscore", nargs="?", const="roberta-large", metavar="MODEL", help="add BERTScore, by hub name or folder"
    )


def run(args: argparse.Namespace) -> int:
    from eval.config import ScoringConfig
    from eval.reporting import report_run
    from eval.scoring.run_folder import read_run

    configured = ScoringConfig(**read_run(args.run).manifest["config"].get("scoring", {}))
    given: dict[str, Any] = {
        "max_failure_share": args.max_failure_share,
        "allow_failures": args.allow_failures,
        "metrics": args.metrics,
        "bertscore": args.bertscore,
        "errata": args.errata,
        "idk": args.idk,
    }
    scoring = replace(configured, **{name: value for name, value in given.items() if value is not None})
    print(report_run(args.run, scoring), end="")
    return 0
