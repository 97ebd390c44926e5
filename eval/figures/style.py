"""One look for all figures: colours that colour-blind readers tell apart, sizes that stay legible in print."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from eval.runner.files import write_bytes

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's palette (2008) without its yellow, which white paper swallows."""
AMEM, BASE = COLOURS[0], COLOURS[1]
"""A-Mem's blue, and the red of the memory it is held against (the paper's figure 4)."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
COLUMN_INCHES = 5.5
"""Width of a text column in the paper's format."""

LEAST_SPAN = 10.0
"""Points of a score ×100 that an axis shows at least: a smaller one would make a peak of two answers."""

_STYLE = {
    "figure.dpi": 100,
    "savefig.dpi": 200,
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.4,
    "lines.markersize": 4.5,
    "legend.frameon": False,
    "legend.fontsize": 8,
    # Text stays text, so that a figure can be searched and its font replaced.
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
}


@contextmanager
def figure(columns: int = 1, rows: int = 1, *, height: float = 2.6, width: float = COLUMN_INCHES) -> Iterator[Any]:
    """A figure and its axes, shape (rows, columns) where there is more than one; `height` is a row's, in inches."""
    import matplotlib

    matplotlib.use("Agg", force=False)
    import matplotlib.pyplot as plt
    from cycler import cycler

    cycle = cycler(color=COLOURS) + cycler(marker=MARKERS)
    style: dict[Any, Any] = {**_STYLE, "axes.prop_cycle": cycle}
    with plt.rc_context(style):
        made, axes = plt.subplots(rows, columns, figsize=(width, height * rows), layout="constrained")
        try:
            yield made, axes
        finally:
            plt.close(made)


def save(made: Any, path: Path) -> list[Path]:
    """Write `<path>.pdf` and `<path>.png`; the same figure gives the same bytes. Returns both paths."""
    written = []
    for suffix, metadata in ((".pdf", {"CreationDate": None}), (".png", {"Software": None})):
        content = io.BytesIO()
        made.savefig(content, format=suffix[1:], metadata=metadata)
        written.append(path.with_name(path.name + suffix))
        write_bytes(written[-1], content.getvalue())
    return written
