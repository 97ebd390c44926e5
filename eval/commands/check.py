"""`python -m eval check [OVERRIDE …]`: whether a run could start, and what to install or set where it could not."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from amem.errors import HarnessError
from amem.lm.build import check_backbone
from eval.composition import compose
from eval.config import BackboneConfig, RunConfig
from eval.override_arguments import add_override_arguments
from eval.prompts import load_pack

HELP = "tell what a run lacks (server, model, key, prompt pack) before it starts"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_override_arguments(parser)


def run(args: argparse.Namespace) -> int:
    config = compose(args.overrides, args.config_dir)
    lacking = 0
    for backbone in config.backbones.values():
        lines = problems(config, backbone)
        lacking += bool(lines)
        print("\n".join(f"missing  {line}" for line in lines) or f"ok       {backbone.label}")
    return 2 if lacking else 0


def problems(config: RunConfig, backbone: BackboneConfig) -> list[str]:
    """What keeps this backbone from being used in the run, a line each."""
    found = check_backbone(asdict(backbone))
    try:
        load_pack(config.prompts.folder or backbone.prompts)
    except HarnessError as error:
        found.append(f"{backbone.label}: {error}")
    return found
