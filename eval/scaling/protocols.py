"""Which way of measuring could print the paper's microseconds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from eval.audit.scaling import DIMENSION, FASTEST_MEMORY
from eval.scaling.figures import SearchCell, published
from eval.scaling.tables import number
from eval.tables.numbers import UNKNOWN
from eval.tables.table import Cell, Column, Row, Section, Table

NEAR = 3.0
"""Factor within which a protocol may be said to give a figure."""
FP32_FLOPS, TF32_FLOPS, FP16_FLOPS = 67e12, 494e12, 989e12
"""Operations a second of an NVIDIA H100 SXM, nominally and for dense matrices (vendor's data sheet)."""
METHODS = ("A-Mem", "MemoryBank")


@dataclass(frozen=True, slots=True)
class Protocol:
    """`seconds`: what a query would take at the size of a cell, None where that was not measured."""

    label: str
    measured: bool
    seconds: Callable[[SearchCell], float | None]


PROTOCOLS = (
    Protocol("exact, one query, waited for", True, lambda cell: cell.exact.median),
    Protocol("exact, batch, by the query", True, lambda cell: _batch(cell, "exact")),
    Protocol("HNSW at recall 0.95, one query", True, lambda cell: _fastest(cell, "hnsw")),
    Protocol("IVF at recall 0.95, one query", True, lambda cell: _fastest(cell, "ivf")),
    Protocol("search handed over, not waited for", True, lambda cell: cell.unwaited.median),
    Protocol("one query at an H200's 4.8 TB/s", False, lambda cell: cell.bytes / FASTEST_MEMORY),
    Protocol("batch on an H100, FP32 67 TFLOP/s", False, lambda cell: _operations(cell) / FP32_FLOPS),
    Protocol("batch on an H100, TF32 494 TFLOP/s", False, lambda cell: _operations(cell) / TF32_FLOPS),
    Protocol("batch on an H100, FP16 989 TFLOP/s", False, lambda cell: _operations(cell) / FP16_FLOPS),
)


def protocol_table(cells: Sequence[SearchCell], caption: str) -> Table:
    """`cells` of one kind of vectors, smallest first."""
    sizes = [cell.size for cell in cells]
    printed = [Row(name, tuple(Cell(_printed(name, size)) for size in sizes)) for name in METHODS]
    milliseconds = Row(
        "GB/s if A-Mem's unit were ms", tuple(Cell(_as_milliseconds(cell)) for cell in cells), minor=True
    )
    return Table(
        key="protocols",
        title="Which protocol could give the paper's times",
        label="µs a query",
        columns=tuple(Column("Entries", f"{size:,}") for size in sizes),
        sections=(
            Section("Paper", (*printed, milliseconds)),
            Section("Measured here", tuple(_row(p, cells) for p in PROTOCOLS if p.measured)),
            Section("Computed from nominal rates", tuple(_row(p, cells) for p in PROTOCOLS if not p.measured)),
        ),
        caption=caption,
        notes=(
            f"Within a factor of {NEAR:.0f} of A-Mem's printed time: {'; '.join(_verdicts(cells)) or 'none'}.",
            f"A batch on a GPU is bound by arithmetic: 2 × N × {DIMENSION} operations a query; the times leave out all "
            "that is not arithmetic, so a protocol may print more than they say and never less. Not waiting for the "
            "GPU prints a time that does not grow with N.",
        ),
        records=tuple(_records(cells)),
    )


def _row(protocol: Protocol, cells: Sequence[SearchCell]) -> Row:
    found = [protocol.seconds(cell) for cell in cells]
    return Row(protocol.label, tuple(Cell(UNKNOWN if s is None else number(s * 1e6)) for s in found))


def _verdicts(cells: Sequence[SearchCell]) -> list[str]:
    found = []
    for protocol in PROTOCOLS:
        near = [f"{cell.size:,}" for cell in cells if _near(protocol.seconds(cell), _mean("A-Mem", cell.size))]
        found += [f"{protocol.label} at {', '.join(near)}"] if near else []
    return found


def _near(seconds: float | None, printed: float | None) -> bool:
    return bool(seconds and printed and 1 / NEAR <= seconds * 1e6 / printed <= NEAR)


def _mean(method: str, size: int) -> float | None:
    row = published(size, method)
    return None if row is None else float(row["retrieval_time_us_mean"])


def _printed(method: str, size: int) -> str:
    return number(_mean(method, size))


def _as_milliseconds(cell: SearchCell) -> str:
    printed = _mean("A-Mem", cell.size)
    return UNKNOWN if printed is None else number(cell.bytes / (printed * 1e-3) / 1e9)


def _operations(cell: SearchCell) -> float:
    return 2.0 * cell.size * DIMENSION


def _batch(cell: SearchCell, index: str) -> float | None:
    return next((s.batch_seconds for s in cell.all_searches() if s.index == index), None)


def _fastest(cell: SearchCell, index: str) -> float | None:
    found = cell.fastest(index)
    return None if found is None else found.timing.median


def _records(cells: Sequence[SearchCell]) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for cell in cells:
        for protocol in PROTOCOLS:
            seconds = protocol.seconds(cell)
            rows.append(
                {
                    "memory_size": cell.size,
                    "protocol": protocol.label,
                    "measured": protocol.measured,
                    "us": None if seconds is None else seconds * 1e6,
                    **{f"paper_us_{name}": _mean(name, cell.size) for name in METHODS},
                }
            )
    return rows
