"""The arguments of a command that composes a configuration as a run does."""

from __future__ import annotations

import argparse


def add_override_arguments(parser: argparse.ArgumentParser, meaning: str = "as for a run, e.g. profile=paper") -> None:
    """Adds `overrides` and `config_dir`, the arguments of `eval.composition.compose`."""
    parser.add_argument("overrides", nargs="*", metavar="OVERRIDE", help=meaning)
    parser.add_argument(
        "--config-dir", "-cd", metavar="FOLDER", help="a folder of configurations beside the shipped ones, as for a run"
    )
