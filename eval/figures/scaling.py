"""Table 4 as a figure: time and memory against the number of entries, both axes logarithmic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from eval.figures.drawn import Drawn
from eval.figures.style import COLOURS
from eval.scaling.config import Vectors
from eval.scaling.figures import Measured, SearchCell, published

Points = list[tuple[int, float]]


def scaling_figure(
    searches: Sequence[SearchCell], methods: Sequence[Measured], labels: Mapping[str, Mapping[str, Any]]
) -> Drawn:
    """Retrieval time with the bound that reading the vectors sets, and memory; one above the other."""

    def paint(_: Any, axes: Any) -> None:
        upper, lower = axes
        _times(upper, searches)
        _memory(lower, methods, labels)
        for panel in (upper, lower):
            panel.set(xscale="log", yscale="log", xlabel="entries")
            panel.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))

    words = [
        f"{cell.size:,} entries: exact {cell.exact.median * 1e6:,.0f} µs, bound {cell.read.median * 1e6:,.0f} µs"
        for cell in _likened(searches)
    ]
    return Drawn(
        "scaling",
        "Table 4: retrieval time and memory against the number of entries",
        f"Lines, both axes logarithmic. {'; '.join(words)}.",
        paint,
        rows=2,
        height=2.9,
    )


def _times(axes: Any, searches: Sequence[SearchCell]) -> None:
    likened = _likened(searches)
    axes.set(ylabel="µs a query", title="Retrieval time")
    if not likened:
        return
    lines: dict[str, Points] = {
        "exact search": [(cell.size, cell.exact.median) for cell in likened],
        "HNSW at recall 0.95": [(c.size, f.timing.median) for c in likened if (f := c.fastest("hnsw"))],
        "exact, batch, by the query": [
            (cell.size, next(s.batch_seconds for s in cell.all_searches() if s.index == "exact")) for cell in likened
        ],
    }
    for label, points in lines.items():
        _line(axes, label, [(size, seconds * 1e6) for size, seconds in points])
    bound = [(cell.size, cell.read.median * 1e6) for cell in likened]
    axes.plot(*zip(*bound, strict=True), color="black", linestyle=":", marker="", label="bound: reading the vectors")
    for name, colour in zip(("A-Mem", "MemoryBank", "ReadAgent"), COLOURS[3:], strict=False):
        rows = [(cell.size, published(cell.size, name)) for cell in likened]
        points = [(size, float(row["retrieval_time_us_mean"])) for size, row in rows if row]
        _line(axes, f"paper: {name}", points, color=colour, linestyle="--")


def _likened(searches: Sequence[SearchCell]) -> list[SearchCell]:
    return [cell for cell in searches if cell.vectors == Vectors.TEXT_LIKE] or list(searches)


def _memory(axes: Any, methods: Sequence[Measured], labels: Mapping[str, Mapping[str, Any]]) -> None:
    axes.set(ylabel="MiB", title="Memory")
    for name in dict.fromkeys(cell["cell"]["method"] for cell in methods):
        own = [cell for cell in methods if cell["cell"]["method"] == name and cell["process_bytes"] > 0]
        _line(axes, labels[name]["label"], [(c["cell"]["size"], c["process_bytes"] / 2**20) for c in own])
    sizes = list(dict.fromkeys(cell["cell"]["size"] for cell in methods))
    printed = [(size, float(row["memory_usage_mb"])) for size in sizes if (row := published(size, "A-Mem"))]
    _line(axes, "paper (all three)", printed, color="black", linestyle="--")


def _line(axes: Any, label: str, points: Points, **look: Any) -> None:
    if points:
        axes.plot(*zip(*sorted(points), strict=True), label=label, **look)
