"""Table 4: what its memory column counts, and what its microseconds would take."""

from __future__ import annotations

from eval.audit.finding import Arithmetic, Finding, Verdict
from eval.audit.source import AMEM, Published, number
from eval.tables.paper import PaperRow

DIMENSION = 384
BYTES_PER_FLOAT = 4
MIB = 2**20
FASTEST_MEMORY = 4.8e12
"""Bytes a second that an NVIDIA H200 reads from its memory, nominally: the fastest of its time."""
VECTOR_SEARCH = (AMEM, "MemoryBank")
"""Methods of Table 4 whose retrieval compares the query with every stored vector."""


def vector_bytes(row: PaperRow) -> float:
    """Bytes of one float32 vector a memory."""
    return number(row, "memory_size") * DIMENSION * BYTES_PER_FLOAT


def check_scaling(published: Published) -> list[Finding]:
    return [_memory(published), _bandwidth(published), _growth(published)]


def _memory(published: Published) -> Finding:
    rows = [
        (f"{number(row, 'memory_size'):,.0f}", str(row["method"]), f"{vector_bytes(row) / MIB:.2f}",
         f"{number(row, 'memory_usage_mb'):.2f}")
        for row in published.table4
    ]  # fmt: skip
    exact = sum(computed == printed for _, _, computed, printed in rows)
    return Finding(
        key="memory-column",
        place="Table 4",
        title="The memory column holds vectors alone",
        verdict=Verdict.DOUBT if exact == len(rows) else Verdict.HOLDS,
        statement=(
            f"N × {DIMENSION} × {BYTES_PER_FLOAT} bytes / 2^20 gives the printed figure, to the second decimal, in "
            f"{exact} of {len(rows)} rows, whatever the method."
        ),
        arithmetic=[Arithmetic(("memories", "method", "computed (MiB)", "printed (MB)"), tuple(rows))],
        reading="The figure is a product, not a measurement: notes, keywords, tags, contexts and links take no room "
        "in it, nor does the text that ReadAgent and MemoryBank keep." if exact == len(rows) else "",
    )  # fmt: skip


def _bandwidth(published: Published) -> Finding:
    rows, impossible = [], []
    for row in published.table4:
        if row["method"] not in VECTOR_SEARCH:
            continue
        seconds = number(row, "retrieval_time_us_mean") * 1e-6
        needed, floor = vector_bytes(row) / seconds, vector_bytes(row) / FASTEST_MEMORY * 1e6
        rows.append(
            (f"{number(row, 'memory_size'):,.0f}", str(row["method"]), f"{vector_bytes(row) / 1e6:,.2f} MB",
             f"{seconds * 1e6:.2f} µs", f"{needed / 1e12:,.1f} TB/s", f"{floor:,.2f} µs")
        )  # fmt: skip
        if needed > FASTEST_MEMORY:
            impossible.append((row, needed, floor))
    worst = [case for case in impossible if case[0]["memory_size"] == max(r["memory_size"] for r in published.table4)]
    return Finding(
        key="bandwidth",
        place="Table 4",
        title="Retrieval times that no memory could feed",
        verdict=Verdict.CONTRADICTION if impossible else Verdict.HOLDS,
        statement=" ".join(
            f"To compare a query with {number(row, 'memory_size'):,.0f} vectors, {vector_bytes(row) / MIB:,.0f} MiB "
            f"must be read; in {row['method']}'s {number(row, 'retrieval_time_us_mean'):.2f} µs that is "
            f"{needed / 1e12:,.0f} TB/s, {needed / FASTEST_MEMORY:,.0f} times the nominal "
            f"{FASTEST_MEMORY / 1e12:.1f} TB/s of an H200, which needs {floor:,.0f} µs."
            for row, needed, floor in worst
        )
        or "Every time is within the bandwidth of an H200.",
        arithmetic=[
            Arithmetic(
                ("memories", "method", "bytes read", "printed time", "bandwidth needed", "floor at 4.8 TB/s"),
                tuple(rows),
            )
        ],
        reading=_in_milliseconds(published) if impossible else "",
    )


def _in_milliseconds(published: Published) -> str:
    own = [row for row in published.table4 if row["method"] == AMEM]
    largest = max(own, key=lambda row: number(row, "memory_size"))
    rate = vector_bytes(largest) / (number(largest, "retrieval_time_us_mean") * 1e-3)
    return (
        f"Were the unit milliseconds, A-Mem's largest row would read {rate / 1e9:,.0f} GB/s, which is plausible. "
        "A clock that was stopped before the GPU had finished would also print such times."
    )


def _growth(published: Published) -> Finding:
    rows, doubtful = [], []
    for method in dict.fromkeys(str(row["method"]) for row in published.table4):
        own = sorted((r for r in published.table4 if r["method"] == method), key=lambda r: number(r, "memory_size"))
        size = number(own[-1], "memory_size") / number(own[0], "memory_size")
        time = number(own[-1], "retrieval_time_us_mean") / number(own[0], "retrieval_time_us_mean")
        rows.append(
            (method, f"{number(own[0], 'retrieval_time_us_mean'):,.2f}",
             f"{number(own[-1], 'retrieval_time_us_mean'):,.2f}", f"{size:,.0f}", f"{time:,.1f}")
        )  # fmt: skip
        doubtful += [(method, size, time)] if method in VECTOR_SEARCH and time < size / 10 else []
    stated = published.claims["retrieval_time_smallest"], published.claims["retrieval_time_largest"]
    return Finding(
        key="growth",
        place=published.sections["retrieval_time_largest"],
        title="Time that hardly grows with the memory",
        verdict=Verdict.DOUBT if doubtful else Verdict.HOLDS,
        statement="; ".join(
            f"{method}'s time grows {time:.0f} times while the memory grows {size:,.0f} times"
            for method, size, time in doubtful
        )
        + f" (the text: from {stated[0]:.2f} to {stated[1]:.2f} µs)."
        if doubtful
        else "Times grow about as the memory does.",
        arithmetic=[
            Arithmetic(("method", "smallest (µs)", "largest (µs)", "growth of memory", "growth of time"), tuple(rows))
        ],
        reading="An exact search reads every vector, so its time grows with their number once they no longer fit a "
        "cache; a smaller factor means that something else than the search was timed." if doubtful else "",
    )  # fmt: skip
