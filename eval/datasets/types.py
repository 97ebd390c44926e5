"""What a dataset is to the harness: conversations of dated sessions, and questions with their evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from amem.contract import Question, Session, Turn
from eval.datasets.categories import Category


@dataclass(frozen=True, slots=True)
class QAItem:
    """A question with what only the scorer may know."""

    question: Question
    category: Category
    reference: str | None
    """The right answer; None for the adversarial questions that have none."""
    trap: str | None
    """The wrong answer that an adversarial question tempts to give."""
    evidence: tuple[str, ...]
    """Ids of the turns that the answer rests on, each once; may be empty."""
    evidence_dropped: tuple[str, ...] = ()
    """Evidence as the file writes it that names no turn, known and listed in `eval/datasets/evidence.py`."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """Two people's sessions in order, and the questions on them."""

    id: str
    speakers: tuple[str, str]
    sessions: tuple[Session, ...]
    items: tuple[QAItem, ...]
    session_total: int
    """Sessions in the file; more than `len(sessions)` after slicing."""

    def turns(self) -> Iterator[Turn]:
        return (turn for session in self.sessions for turn in session.turns)


@dataclass(frozen=True, slots=True)
class Dataset:
    """Conversations of one file, or a slice of them."""

    name: str
    conversations: tuple[Conversation, ...]
    source: str
    """Path of the file."""
    sha256: str
    """Of the file's bytes, also where this is a slice of it."""
    licence: str
    is_sample: bool
    """The shipped sample: invented people, of no weight as a result."""
    comparable: bool
    """The published file, unchanged: the only one whose figures may stand beside the paper's."""
    restrictions: tuple[str, ...] = ()
    """How the questions were thinned out, in words, for the caption."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Questions (and conversations) that slicing left out, by reason."""

    def items(self) -> Iterator[QAItem]:
        return (item for conversation in self.conversations for item in conversation.items)

    def find(self, conversation_id: str) -> Conversation:
        """Raises KeyError for an unknown id."""
        for conversation in self.conversations:
            if conversation.id == conversation_id:
                return conversation
        raise KeyError(conversation_id)

    @property
    def description(self) -> str:
        """What is in it, for captions: "conv-26, sessions 1-2 of 19: 35 turns, 20 questions"."""
        turns = sum(1 for _ in self.turns())
        counts = f"{turns:,} turns, {sum(1 for _ in self.items()):,} questions"
        return "; ".join([f"{self._extent()}: {counts}", *self.restrictions])

    def turns(self) -> Iterator[Turn]:
        return (turn for conversation in self.conversations for turn in conversation.turns())

    def _extent(self) -> str:
        if len(self.conversations) == 1:
            only = self.conversations[0]
            return f"{only.id}, {_session_extent(len(only.sessions), only.session_total)}"
        kept = sum(len(c.sessions) for c in self.conversations)
        total = sum(c.session_total for c in self.conversations)
        sessions = f"{total:,} sessions" if kept == total else f"the first {kept:,} of {total:,} sessions"
        return f"{len(self.conversations)} conversations, {sessions}"


def _session_extent(kept: int, total: int) -> str:
    if kept == total:
        return f"all {total} sessions"
    return f"session 1 of {total}" if kept == 1 else f"sessions 1-{kept} of {total}"
