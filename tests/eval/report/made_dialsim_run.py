"""A small finished run on the DialSim sample that ships with the project."""

from __future__ import annotations

from pathlib import Path

from eval.composition import compose
from eval.run import run


def made_dialsim_run(folder: Path, *settings: str) -> Path:
    """Two methods over the whole sample, no model."""
    fixed = ["experiment=table2", "dialsim.source=sample", "backbone=[scripted]", "method=[amem,rag_sessions]"]
    return run(compose([*fixed, "link.k=2", "retrieve.k=3", f"results_dir={folder}", *settings]))
