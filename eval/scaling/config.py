"""What a scaling run measures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from amem.errors import ConfigurationError

MOST = 2**31 - 1
"""FAISS counts in 32 bits."""


class Vectors(StrEnum):
    """Where the stored vectors come from."""

    TEXT_LIKE = "text_like"
    """Drawn around the vectors of real turns (`eval.scaling.vectors.TextLike`)."""
    RANDOM = "random"
    """Directions drawn evenly: every point is nearly as far as every other, the worst case of approximate search."""


@dataclass
class HnswConfig:
    """Malkov and Yashunin's graph index, as FAISS has it."""

    m: int = 32
    ef_construction: int = 40
    ef: list[int] = field(default_factory=lambda: [16, 32, 64, 128, 256, 512])
    """Sizes of the candidate list, one row of the table each."""


@dataclass
class IvfConfig:
    """FAISS' inverted lists over uncompressed vectors."""

    lists_per_root: float = 2.0
    """Lists = this × √(stored vectors)."""
    probes: list[int] = field(default_factory=lambda: [1, 4, 16, 64])
    """Lists looked through, one row of the table each."""

    def lists(self, size: int) -> int:
        """Of an index over so many vectors."""
        return max(1, round(self.lists_per_root * size**0.5))


@dataclass
class ScalingConfig:
    """Set in place of questions: `experiment=scaling`."""

    sizes: list[int] = field(default_factory=lambda: [1_000, 10_000, 100_000, 1_000_000])
    """Entries stored: notes of A-Mem, exchanges of MemoryBank, gists of ReadAgent."""
    vectors: list[str] = field(default_factory=lambda: [kind.value for kind in Vectors])
    queries: int = 200
    """Single queries timed, one after the other."""
    batch: int = 1_000
    """Queries answered in one call, for the amortised time."""
    k: int = 10
    operations: int = 10
    """Memory operations and whole retrievals timed for each method and size."""
    large_operations: int = 2
    """The same from 100,000 entries on, where some take minutes."""
    threads: int = 1
    """Of everything that is timed, reading included; indexes are built with all cores."""
    call_seconds: float = 0.2
    """What a call to the model takes, where calls are counted in."""
    hnsw: HnswConfig = field(default_factory=HnswConfig)
    ivf: IvfConfig = field(default_factory=IvfConfig)

    def check(self) -> None:
        """Raises ConfigurationError for what can't be measured."""
        for name in ("queries", "batch", "k", "operations", "large_operations", "threads"):
            _check_number(name, getattr(self, name), least=1)
        _check_number("call_seconds", self.call_seconds, least=0)
        _check_number("hnsw.m", self.hnsw.m, least=2)
        _check_number("hnsw.ef_construction", self.hnsw.ef_construction, least=1)
        _check_list("hnsw.ef", self.hnsw.ef, least=1)
        _check_list("ivf.probes", self.ivf.probes, least=1)
        _check_list("sizes", self.sizes, least=2 * self.k, reason=" (2 × scaling.k)")
        self._check_vectors()
        self._check_lists()
        if self.batch < self.queries:
            raise ConfigurationError(f"scaling.batch={self.batch} must hold the scaling.queries={self.queries}")

    def _check_vectors(self) -> None:
        _check_different("vectors", self.vectors)
        for kind in self.vectors:
            if kind not in set(Vectors):
                raise ConfigurationError(f"scaling.vectors: {kind!r} is unknown; known are {', '.join(Vectors)}")

    def _check_lists(self) -> None:
        """No list can be made without a vector of its own."""
        ratio, size = self.ivf.lists_per_root, min(self.sizes)
        if not 0 < ratio < math.inf or self.ivf.lists(size) > size:
            raise ConfigurationError(
                f"scaling.ivf.lists_per_root must be more than 0, and at most {math.floor(10 * size**0.5) / 10} (the "
                f"root of the smallest scaling.sizes: a list is made around a vector), not {ratio}"
            )


def _check_number(name: str, value: float, *, least: int, reason: str = "") -> None:
    if not least <= value <= MOST:
        raise ConfigurationError(f"scaling.{name} must be at least {least}{reason} and at most {MOST}, not {value}")


def _check_list(name: str, values: Sequence[int], *, least: int, reason: str = "") -> None:
    _check_different(name, values)
    for value in values:
        _check_number(name, value, least=least, reason=reason)


def _check_different(name: str, values: Sequence[object]) -> None:
    if not values:
        raise ConfigurationError(f"scaling.{name} is empty; it needs at least one value")
    twice = [value for place, value in enumerate(values) if value in values[:place]]
    if twice:
        raise ConfigurationError(f"scaling.{name} holds {twice[0]} twice; each value is measured once")
