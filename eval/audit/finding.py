"""What an audit finds: a claim, the arithmetic that it was held against, and how it came out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    CONTRADICTION = "contradiction"
    """The published numbers contradict each other, the text, or what hardware can do."""
    DOUBT = "doubt"
    """Not impossible, but not to be believed without an explanation."""
    HOLDS = "holds"
    """Recomputed, and as printed."""


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """The numbers behind a finding, as a small table."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Finding:
    key: str
    """Anchor on the page."""
    place: str
    """Where in the paper: "Table 1", "Section 4.3"."""
    title: str
    verdict: Verdict
    statement: str
    """What was computed, in a sentence or two, with its numbers."""
    arithmetic: Sequence[Arithmetic] = ()
    reading: str = ""
    """What it may mean; an inference, and marked as one."""
