"""What a DialSim file holds, typed: the same objects whatever the file's format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from eval.dialsim.kinds import Kind, Origin


@dataclass(frozen=True, slots=True)
class StoredQuestion:
    """One question that may be asked in a session."""

    kind: Kind
    key: str
    """The fan quiz's id, or the position in the list of its kind."""
    variants: Mapping[str, str]
    """Wording by asker; `default` (first where there is one) serves everybody. May be empty in real data."""
    options: tuple[str, ...]
    answer: str
    oracle: tuple[str, ...] | None
    """Dates (as text) on which the facts came up; an unknown future is marked by a text that is no date.
    None where the data has no oracle for the question."""

    @property
    def correct(self) -> int | None:
        """Position of the option that equals the answer, ignoring case; None where none does."""
        answer = self.answer.lower()
        return next((i for i, option in enumerate(self.options) if option.lower() == answer), None)


@dataclass(frozen=True, slots=True)
class StoredSession:
    """One scene with its questions."""

    episode: str
    number: int
    """As stored, unique within its episode."""
    date_text: str
    when: datetime
    script: str
    questions: Mapping[Kind, tuple[StoredQuestion, ...]]
    """In the order of `Kind`; kinds without questions are left out."""

    @property
    def id(self) -> str:
        return f"{self.episode.removesuffix('.txt')}/{self.number}"

    def kinds(self, origin: Origin) -> tuple[Kind, ...]:
        """The kinds of one origin that have questions here."""
        return tuple(kind for kind in self.questions if kind.origin is origin)


@dataclass(frozen=True, slots=True)
class ShowFacts:
    """What the data files themselves don't say of a show."""

    name: str
    agent: str
    """The character that the memory method plays."""
    shuffle: Mapping[str, str] = field(default_factory=dict)
    new_name: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Show:
    """A show whose sessions are read one after the other: real shows hold far more questions than one pass asks."""

    facts: ShowFacts
    source: str
    """The file, folder or hub name, for messages and manifests."""
    version: str
    """v1.0 or v1.1, told by the kinds that the data holds."""
    read: Callable[[], Iterator[StoredSession]]

    def sessions(self) -> Iterator[StoredSession]:
        """Every session in stored order, which is not the order of dates; each call starts anew."""
        return self.read()
