"""What a configuration asks for: questions put to memories, or the scaling measurements."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from eval.config import RunConfig


def run(config: RunConfig) -> Path:
    """Do it, print its tables, and return the folder of what it left."""
    if config.scaling is not None:
        from eval.scaling.run import run as measure

        return measure(config)
    from eval.run import run as ask

    return ask(config)


def run_unless_done(config: RunConfig) -> tuple[Path, bool]:
    """As `run`, but a run that is whole and scored as configured is left alone; says whether it was."""
    if config.scaling is None:
        from eval.prepared import prepare
        from eval.run import is_done

        with ExitStack() as stack:
            prepared = prepare(config, stack)
            if is_done(prepared):
                return prepared.folder, True
    return run(config), False
