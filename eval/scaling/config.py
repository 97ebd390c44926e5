"""What a scaling run measures."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from amem.errors import ConfigurationError


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
            if getattr(self, name) < 1:
                raise ConfigurationError(f"scaling.{name} must be at least 1, not {getattr(self, name)}")
        for kind in self.vectors:
            if kind not in set(Vectors):
                raise ConfigurationError(f"scaling.vectors: {kind!r} is unknown; known are {', '.join(Vectors)}")
        if not self.sizes or min(self.sizes) < 2 * self.k:
            raise ConfigurationError(f"scaling.sizes: sizes of at least {2 * self.k} (2 × scaling.k) are needed")
        if self.batch < self.queries:
            raise ConfigurationError(f"scaling.batch={self.batch} must hold the scaling.queries={self.queries}")
