"""What the tables need of the raw measurements, in one place: cells by size, timings, and the published figures."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amem.errors import ResultsError
from eval.scaling.clock import Timing
from eval.scaling.config import Vectors
from eval.tables.paper import paper_table

ENOUGH_RECALL = 0.95

Measured = Mapping[str, Any]

_OF_SEARCH = ("read", "unwaited_seconds", "indexes")
_OF_METHOD = ("process_bytes", "index_bytes", "search_seconds", "retrievals", "operations")


def measurements(folder: Path) -> list[dict[str, Any]]:
    """All cells of a run, smallest first; raises ResultsError for a file that is none."""
    found = [_measurement(path) for path in sorted((folder / "measurements").glob("*.json"))]
    return sorted(found, key=lambda value: value["cell"]["size"])


def _measurement(path: Path) -> dict[str, Any]:
    way_out = "delete the file, and the run's command measures the cell again"
    try:
        value = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise ResultsError(f"{path}: not JSON ({error}); {way_out}") from error
    if missing := _missing(value):
        raise ResultsError(f"{path}: no measurement of a cell, it lacks {', '.join(missing)}; {way_out}")
    return value


def _missing(value: Any) -> list[str]:
    """Keys of a measurement that `value` does not hold."""
    if not isinstance(value, dict) or not isinstance(value.get("cell"), dict):
        return ["cell"]
    of_kind = _OF_METHOD if value["cell"].get("method") else _OF_SEARCH
    lacking = [f"cell.{key}" for key in ("size", "vectors", "method") if key not in value["cell"]]
    return lacking + [key for key in ("machine", *of_kind) if key not in value]


@dataclass(frozen=True, slots=True)
class Search:
    """One way to search one set of vectors."""

    index: str
    settings: Mapping[str, int]
    queries: str
    timing: Timing
    batch_seconds: float
    """Per query of a batch; the median over the batches."""
    batch: int
    recall: float
    """At k, against the exact index."""

    @property
    def label(self) -> str:
        return ", ".join([self.index.upper() if self.index != "exact" else self.index, *_named(self.settings)])


@dataclass(frozen=True, slots=True)
class SearchCell:
    """Three indexes over the same vectors."""

    size: int
    vectors: str
    read: Timing
    bytes: int
    unwaited: Timing
    indexes: Sequence[Measured]

    @property
    def exact(self) -> Timing:
        """Over all single queries, as reading is."""
        exact = next(index for index in self.indexes if index["name"] == "exact")
        return Timing.of([second for search in exact["searches"] for second in search["seconds"]])

    def searches(self, index: Measured) -> Iterator[Search]:
        for search in index["searches"]:
            batch = search["batch"]
            yield Search(
                index=index["name"],
                settings=search["settings"],
                queries=search["queries"],
                timing=Timing.of(search["seconds"]),
                batch_seconds=Timing.of(batch["seconds"]).median / batch["queries"],
                batch=batch["queries"],
                recall=search["recall"],
            )

    def all_searches(self) -> list[Search]:
        return [search for index in self.indexes for search in self.searches(index)]

    def fastest(self, index: str) -> Search | None:
        """The fastest settings whose recall is enough for every kind of query; the kind in which it is slowest."""
        by_settings: dict[str, list[Search]] = {}
        for search in self.all_searches():
            if search.index == index:
                by_settings.setdefault(search.label, []).append(search)
        good = [group for group in by_settings.values() if min(s.recall for s in group) >= ENOUGH_RECALL]
        slowest = [max(group, key=lambda search: search.timing.median) for group in good]
        return min(slowest, key=lambda search: search.timing.median, default=None)


def search_cells(measured: Sequence[Measured]) -> list[SearchCell]:
    """By kind of vectors, text-like ones first, and size."""
    found = [
        SearchCell(
            size=value["cell"]["size"],
            vectors=value["cell"]["vectors"],
            read=Timing.of(value["read"]["seconds"]),
            bytes=value["read"]["bytes"],
            unwaited=Timing.of(value["unwaited_seconds"]),
            indexes=value["indexes"],
        )
        for value in measured
        if value["cell"]["vectors"]
    ]
    kinds = list(Vectors)
    return sorted(found, key=lambda cell: (kinds.index(Vectors(cell.vectors)), cell.size))


def method_cells(measured: Sequence[Measured]) -> list[Measured]:
    return [value for value in measured if value["cell"]["method"]]


def published(size: int, method: str | None) -> Mapping[str, Any] | None:
    """The paper's row of Table 4; None where it has none."""
    for row in paper_table("table4_scaling"):
        if row["memory_size"] == size and row["method"] == method:
            return row
    return None


def _named(settings: Mapping[str, int]) -> list[str]:
    return [f"{name} {value}" for name, value in settings.items()]
