"""What a configuration asks for: questions put to memories, or the scaling measurements."""

from __future__ import annotations

from pathlib import Path

from eval.config import RunConfig


def run(config: RunConfig) -> Path:
    """Do it, print its tables, and return the folder of what it left."""
    if config.scaling is not None:
        from eval.scaling.run import run as measure

        return measure(config)
    from eval.run import run as ask

    return ask(config)
