"""A pass over a show as data: what is taken in, and what is asked in between. The runner only follows it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from amem.contract import Question, Session
from eval.dialsim.draw import Unasked
from eval.dialsim.kinds import Kind
from eval.dialsim.names import NameMode

UNKNOWN = "I don't know."
"""What DialSim counts as the right text where option five is right."""


@dataclass(frozen=True, slots=True)
class EvidenceDay:
    """The turns of one day that the oracle names, or of the episode so far, as far as they were seen when asking."""

    date_text: str
    turn_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """A question at its place in the stream, with what only the scorer may know."""

    question: Question
    """Its text is "asker: wording": the query and the prompt line of DialSim, where an "I" needs its speaker."""
    wording: str
    date_text: str
    session_id: str
    trigger: str
    """Id of the turn after which it is asked: the last one that the memory has taken in."""
    kind: Kind
    options: tuple[str, ...]
    """Five; the fifth says that one can't know."""
    correct: int
    answer: str
    """As stored: equal to `options[correct]` but for upper and lower case."""
    evidence_days: tuple[EvidenceDay, ...] | None
    """None where the data has no oracle for the question; empty for a question that can't be answered."""

    @property
    def answerable(self) -> bool:
        return self.kind.answerable

    @property
    def category(self) -> Kind:
        return self.kind

    @property
    def reference(self) -> str:
        """The text that is right in DialSim's text formats."""
        return UNKNOWN if self.correct == len(self.options) - 1 else self.answer

    @property
    def trap(self) -> None:
        """DialSim tempts with nothing in particular; LoCoMo's items have one."""
        return None

    @property
    def evidence(self) -> tuple[str, ...]:
        """Every evidence turn once, in order of playing."""
        return tuple(dict.fromkeys(turn for day in self.evidence_days or () for turn in day.turn_ids))


Step = Session | Ask


@dataclass(frozen=True, slots=True)
class Plan:
    """One pass over one show: a pure function of data, seed and name mode."""

    show: str
    version: str
    agent: str
    """Whose part the memory method plays, by the name that the script has in this mode."""
    seed: int
    names: NameMode
    steps: tuple[Step, ...]
    session_count: int
    header_numbers: Mapping[str, int]
    """DialSim's own session number by session id: it starts at 1 wherever the date changes."""
    unasked: Mapping[Unasked, int]
    """Sessions without a question, by reason."""

    def sessions(self) -> Iterator[Session]:
        """The session parts, in order."""
        return (step for step in self.steps if isinstance(step, Session))

    def asks(self) -> Iterator[Ask]:
        return (step for step in self.steps if isinstance(step, Ask))

    @property
    def sha256(self) -> str:
        """Of everything that a method or a reader can see of the plan, in canonical JSON."""
        digest = hashlib.sha256(f"{self.show}\0{self.agent}\0".encode())
        for step in self.steps:
            digest.update(json.dumps(asdict(step), sort_keys=True, default=str).encode() + b"\n")
        return digest.hexdigest()
