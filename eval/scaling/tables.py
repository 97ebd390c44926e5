"""The tables of a scaling run: Table 4 beside the paper's, the indexes, the floor of reading, and memory operations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from eval.scaling.clock import Timing
from eval.scaling.figures import Measured, SearchCell, published
from eval.tables.numbers import UNKNOWN
from eval.tables.table import Cell, Column, Row, Section, Table

MIB = 2**20

Labels = Mapping[str, Mapping[str, Any]]
"""The configuration of each method: `label`, `paper_row`."""


def table4(cells: Sequence[Measured], labels: Labels, caption: str, made: str) -> Table:
    """`made` says how the stored vectors were made."""
    columns = (
        *(Column("Memory (MiB)", name) for name in ("process", "index", "paper")),
        *(Column("Vector search (µs)", name) for name in ("median", "mean ± sd", "p99")),
        Column("Whole retrieval (ms)", "median"),
        *(Column("Paper (µs)", name) for name in ("mean ± sd", "search ÷ paper")),
    )
    records = [_table4_record(cell, labels) for cell in cells]
    return Table(
        key="table4",
        title="Table 4: memory and retrieval time",
        label="Method",
        columns=columns,
        sections=_by_size(records, _table4_cells),
        caption=caption,
        notes=(
            "process: what the process grew by when the memory was filled (below a few MiB it may find room that it "
            "held before). index: the vector index as it is written out. The paper's column is N × 384 × 4 bytes.",
            "Vector search: one query against all stored vectors, by the method's own index; A-Mem and MemoryBank have "
            "the same one, so their times differ by chance only. ReadAgent stores no vectors: what stands in place of "
            "a search is that all gists are written into the look-up prompt and page numbers read from its reply, "
            "which is what its whole retrieval consists of.",
            "Whole retrieval: recall() from the question to the text that the reader gets, without encoding the "
            "question, model calls and the counting of tokens.",
            made,
        ),
        records=tuple(records),
    )


def _table4_record(cell: Measured, labels: Labels) -> dict[str, Any]:
    method = labels[cell["cell"]["method"]]
    paper = published(cell["cell"]["size"], method["paper_row"] or method["label"]) or {}
    search = Timing.of(cell["search_seconds"]) if cell["search_seconds"] else None
    printed = paper.get("retrieval_time_us_mean")
    return {
        "memory_size": cell["cell"]["size"],
        "method": method["label"],
        "process_mib": cell["process_bytes"] / MIB,
        "index_mib": cell["index_bytes"] / MIB if cell["index_bytes"] else None,
        "paper_mib": paper.get("memory_usage_mb"),
        **_microseconds("search", search),
        "retrieval_ms": 1e3 * Timing.of([_own(r) for r in cell["retrievals"]]).median,
        "paper_us_mean": printed,
        "paper_us_sd": paper.get("retrieval_time_us_std"),
        "search_to_paper": search.median * 1e6 / float(printed) if search and printed else None,
    }


def _table4_cells(record: Mapping[str, Any]) -> list[str]:
    return [
        number(record["process_mib"]),
        number(record["index_mib"]),
        number(record["paper_mib"]),
        number(record["search_us_median"]),
        _spread(record["search_us_mean"], record["search_us_sd"]),
        number(record["search_us_p99"]),
        number(record["retrieval_ms"]),
        _spread(record["paper_us_mean"], record["paper_us_sd"]),
        "" if record["search_to_paper"] is None else f"{record['search_to_paper']:,.0f}×",
    ]


def bound_table(cells: Sequence[SearchCell], caption: str) -> Table:
    """Exact search beside reading the same bytes."""
    records: list[dict[str, Any]] = [
        {
            "vectors": cell.vectors,
            "memory_size": cell.size,
            "mib": cell.bytes / MIB,
            **_microseconds("read", cell.read),
            "read_gb_per_s": cell.bytes / cell.read.median / 1e9,
            **_microseconds("exact", cell.exact),
            "exact_to_read": cell.exact.median / cell.read.median,
        }
        for cell in cells
    ]
    columns = (
        Column("", "MiB"),
        *(Column("Reading", name) for name in ("median µs", "GB/s")),
        *(Column("Exact search", name) for name in ("median µs", "p99 µs")),
        Column("", "exact ÷ reading"),
    )
    rows = [
        (record["vectors"], Row(f"{record['memory_size']:,}", _cells(
            number(record["mib"]), number(record["read_us_median"]), f"{record['read_gb_per_s']:.1f}",
            number(record["exact_us_median"]), number(record["exact_us_p99"]), f"{record['exact_to_read']:.2f}")))
        for record in records
    ]  # fmt: skip
    return Table(
        key="bound",
        title="Exact search and the bandwidth of memory",
        label="Entries",
        columns=columns,
        sections=_grouped(rows),
        caption=caption,
        notes=(
            "Reading: one pass over an array of the same bytes, by the fastest of the ways tried, in turns with the "
            "queries and on as many threads. No exact search is faster while the vectors don't fit a cache.",
        ),
        records=tuple(records),
    )


def index_table(cells: Sequence[SearchCell], caption: str, made: str) -> Table:
    """Every index and setting, by kind of vectors and size; `made` says how the vectors were made."""
    records = [record for cell in cells for record in _index_records(cell)]
    columns = (
        *(Column("Index", name) for name in ("build s", "MiB", "process MiB")),
        Column("", "recall"),
        *(Column("One query (µs)", name) for name in ("median", "mean ± sd", "p99")),
        Column("Batch (µs)", "a query"),
        Column("", "faster"),
    )
    rows = [
        (f"{record['vectors']} vectors, queries: {record['queries']}, {record['memory_size']:,} entries",
         Row(str(record["search"]), _cells(
             number(record["build_seconds"]), number(record["index_mib"]), number(record["process_mib"]),
             f"{record['recall']:.3f}", number(record["us_median"]), _spread(record["us_mean"], record["us_sd"]),
             number(record["us_p99"]), number(record["batch_us"]), f"{record['faster_than_exact']:.1f}×")))
        for record in records
    ]  # fmt: skip
    return Table(
        key="indexes",
        title="Exact and approximate search",
        label="Index",
        columns=columns,
        sections=_grouped(rows),
        caption=caption,
        notes=(
            "recall: share of the exact index's k nearest that are found. faster: the exact index's median over this "
            "one's, for the same queries. Indexes are built with all cores and searched with the threads named above.",
            "exact is the index that the methods search; its batches go to FAISS' flat index below it.",
            made,
        ),
        records=tuple(records),
    )


def _index_records(cell: SearchCell) -> Iterator[dict[str, Any]]:
    for queries in dict.fromkeys(search.queries for search in cell.all_searches()):
        for index in cell.indexes:
            for search in cell.searches(index):
                if search.queries != queries:
                    continue
                exact = next(s for s in cell.all_searches() if s.index == "exact" and s.queries == queries)
                yield {
                    "vectors": cell.vectors,
                    "queries": queries,
                    "memory_size": cell.size,
                    "search": search.label,
                    "parameters": ", ".join(f"{k} {v}" for k, v in index["parameters"].items()),
                    "build_seconds": index["build_seconds"],
                    "index_mib": index["index_bytes"] / MIB,
                    "process_mib": index["process_bytes"] / MIB,
                    "recall": search.recall,
                    **_microseconds("", search.timing),
                    "batch_us": search.batch_seconds * 1e6,
                    "faster_than_exact": exact.timing.median / search.timing.median,
                }


def operations_table(cells: Sequence[Measured], labels: Labels, caption: str) -> Table:
    """One retrieval and one memory operation as the store grows, with the model's calls and without."""
    records = [
        {"memory_size": cell["cell"]["size"], "method": labels[cell["cell"]["method"]]["label"],
         **_shares("retrieval", cell["retrievals"], [1] * len(cell["retrievals"])),
         **_shares("operation", cell["operations"], [o["turns"] for o in cell["operations"]])}
        for cell in cells
    ]  # fmt: skip
    parts = {"own": "without calls", "encoder": "of it encoding", "calls": "calls", "with_calls": "with calls"}
    columns = tuple(
        Column(group, name)
        for group in ("One retrieval (ms)", "Memory operation (ms a turn)")
        for name in parts.values()
    )

    def texts(record: Mapping[str, Any]) -> list[str]:
        return [number(record[f"{kind}_{part}"]) for kind in ("retrieval", "operation") for part in parts]

    return Table(
        key="operations",
        title="A retrieval and a memory operation as the memory grows",
        label="Method",
        columns=columns,
        sections=_by_size(records, texts),
        caption=caption,
        notes=(
            "Medians. without calls: all that is not waiting for the model, encoding with the embedding model "
            "included. with calls: the whole, with a scripted model that takes the named time a call and eight calls "
            "side by side. A memory operation takes in two turns in a session of their own and is given by the turn: "
            "two notes of A-Mem, an exchange of MemoryBank with its summaries and portraits, a page of ReadAgent.",
        ),
        records=tuple(records),
    )


def _shares(kind: str, measured: Sequence[Mapping[str, float]], units: Sequence[float]) -> dict[str, float]:
    """Medians by unit, in milliseconds (`calls`: their number)."""
    columns = {
        "own": [1e3 * (m["seconds"] - m["model_seconds"]) / u for m, u in zip(measured, units, strict=True)],
        "encoder": [1e3 * m["encoder_seconds"] / u for m, u in zip(measured, units, strict=True)],
        "calls": [m["calls"] / u for m, u in zip(measured, units, strict=True)],
        "with_calls": [1e3 * m["seconds"] / u for m, u in zip(measured, units, strict=True)],
    }
    return {f"{kind}_{name}": Timing.of(values).median for name, values in columns.items()}


def _own(measured: Mapping[str, float]) -> float:
    return measured["seconds"] - measured["model_seconds"] - measured["encoder_seconds"]


def _microseconds(name: str, timing: Timing | None) -> dict[str, float | None]:
    prefix = f"{name}_us" if name else "us"
    values = {} if timing is None else {part: getattr(timing, part) * 1e6 for part in ("median", "mean", "sd", "p99")}
    return {f"{prefix}_{part}": values.get(part) for part in ("median", "mean", "sd", "p99")}


def _by_size(records: Sequence[Mapping[str, Any]], texts: Any) -> tuple[Section, ...]:
    rows = [(f"{r['memory_size']:,} entries", Row(str(r["method"]), _cells(*texts(r)))) for r in records]
    return _grouped(rows)


def _grouped(rows: Sequence[tuple[str, Row]]) -> tuple[Section, ...]:
    headings = dict.fromkeys(heading for heading, _ in rows)
    return tuple(Section(heading, tuple(row for of, row in rows if of == heading)) for heading in headings)


def _cells(*texts: str) -> tuple[Cell, ...]:
    return tuple(map(Cell, texts))


def _spread(mean: float | None, sd: float | None) -> str:
    return UNKNOWN if mean is None else f"{number(mean)} ± {number(sd)}"


def number(value: float | None) -> str:
    """Three significant digits, thousands separated."""
    if value is None:
        return UNKNOWN
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
