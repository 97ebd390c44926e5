"""MemoryBank's parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from amem.errors import ConfigurationError
from baselines._memorybank.forgetting import Forgetting
from baselines._memorybank.reflection import GlobalFrom, ReflectionLimits


@dataclass(frozen=True)
class MemoryBankSettings:
    """Parameters of MemoryBank; configs/method/memorybank.yaml cites the source of each value."""

    top_k: int = 3
    """Pieces (exchanges and session summaries together) retrieved for a question."""
    merge_same_date: bool = True
    """Show all hits of a session under one date, sessions in time order; else each hit alone, best first."""
    glue_characters: int = 200
    """Neighbours of a hit are shown too while hit and neighbours together have no more characters; 0: none."""
    summary_tokens: int = 400
    """Longest summary, of a session or of all, in tokens of the shared tokenizer."""
    portrait_tokens: int = 200
    """Longest portrait of one speaker, of a session or over all."""
    portrait_speakers: int = 2
    """Speakers that have a portrait: those with the most turns."""
    global_from: GlobalFrom = "sessions"
    """What the overall texts are made of after each session: all `sessions`, or the `previous` text and the new
    session (for conversations of hundreds of sessions)."""
    forgetting: Forgetting = "off"
    tau_days: float = 1.0
    """Unit of the forgetting curve's time, in days."""
    strengthen_on_ingest: bool = False
    """Let each new exchange recall what it would have recalled in a live dialogue, and so raise S. A finished dialogue
    is only read in: without this nothing is recalled before the questions, and S stays 1. Matters with forgetting
    only. Questions never raise S: their order would matter."""
    temperature: float | None = 0.7
    """Of MemoryBank's own calls; None is the backbone's. The answer is the shared reader's."""

    def __post_init__(self) -> None:
        for name, kind in (("forgetting", Forgetting), ("global_from", GlobalFrom)):
            if getattr(self, name) not in get_args(kind):
                raise ConfigurationError(f"{name} = {getattr(self, name)!r}: choose one of {', '.join(get_args(kind))}")
        if self.tau_days <= 0:
            raise ConfigurationError(f"tau_days = {self.tau_days}: a number of days above 0 is needed")

    @property
    def limits(self) -> ReflectionLimits:
        return ReflectionLimits(self.summary_tokens, self.portrait_tokens, self.portrait_speakers, self.global_from)
