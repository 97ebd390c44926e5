"""What a memory method is: `ingest` once, `recall` many.

Building a memory is dear and asking it is cheap, so the two are apart, and every sweep (k, prompts, scoring)
reuses one memory. ann-benchmarks split nearest-neighbour search the same way.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from amem.lm.types import Sampling

if TYPE_CHECKING:
    from amem.embedding import Embedder
    from amem.lm.model import LanguageModel
    from amem.prompting.pack import PromptPack


@dataclass(frozen=True, slots=True)
class Turn:
    """One utterance. `id` is unique within its conversation; evidence and recall speak of turns by it."""

    id: str
    speaker: str
    text: str
    caption: str | None = None
    """What the shared image shows, where the turn shares one."""
    has_image_url: bool = False
    """LoCoMo has captions without an address; the released A-Mem code shows a caption only where both exist."""


@dataclass(frozen=True, slots=True)
class Observation:
    """A fact that the data set itself derived from a session (LoCoMo ships them), with the turns it came from."""

    speaker: str
    text: str
    turn_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Session:
    """One dated sitting, or a part of one.

    A question may be asked in the middle of a session (DialSim); the session then arrives in several parts that
    share `id`, `number` and `when`, and a method never sees what comes after the question.
    """

    id: str
    number: int
    """1-based position in the conversation."""
    when: datetime
    date_text: str
    """The date as the data set writes it; templates print this one."""
    turns: tuple[Turn, ...]
    part: int = 0
    observations: tuple[Observation, ...] = ()
    summary: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What a method may know of a question: never the reference, never the evidence."""

    id: str
    text: str
    category: str
    """An opaque label; a method may only look settings up by it (such as k by category)."""
    asked_at: datetime | None = None
    asker: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """A turn that recalled text came from."""

    turn_id: str
    derived: bool = False
    """True where the text was written from the turn (a summary, a gist) instead of showing it verbatim."""


@dataclass(frozen=True, slots=True)
class Recall:
    """What a memory hands to the reader for one question."""

    text: str
    sources: tuple[Source, ...]
    """Most relevant first; a turn may appear once verbatim and once derived."""
    tokens: int
    """Length of `text` in the shared tokenizer (`amem.tokens`)."""
    trace: Mapping[str, Any] = field(default_factory=dict)
    """Plain JSON: how the text was found (hits with scores, links followed, what was cut). For people, not logic."""


@dataclass(frozen=True, slots=True)
class OwnAnswer:
    """The answer of a method that answers through its own loop (MemGPT)."""

    text: str
    recall: Recall
    prompt_tokens: int | None = None
    """Length of the prompt that brought the answer, in the shared tokenizer."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A memory as plain data: `state` is JSON, `arrays` hold vectors. Never a pickle."""

    state: Mapping[str, Any]
    arrays: Mapping[str, np.ndarray] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Tools:
    """What a method is built from. One instance serves one conversation."""

    lm: LanguageModel
    embedder: Embedder
    prompts: PromptPack
    seed: int = 0


class MemoryMethod(ABC):
    """Base of every memory method. A new one is one file (this class) and one YAML (its settings).

    `recall` is called from several threads at once and must not change the memory; `ingest` is called by one thread,
    session after session in order. Same settings, seed and model replies: same memory, same recall.
    """

    Settings: ClassVar[type]
    """A frozen dataclass of the method's parameters; the YAML file's keys are its fields."""

    recall_settings: ClassVar[frozenset[str]] = frozenset()
    """The fields of `Settings` that act when the memory is asked and never when it is built: memories that differ in
    these alone are the same memory, and a sweep over them builds it once."""

    answers_itself: ClassVar[bool] = False
    """True: the runner calls `answer` and the shared reader is not used."""

    def __init__(self, settings: Any, tools: Tools) -> None:
        self.settings = settings
        self.tools = tools
        self.counters: Counter[str] = Counter()
        """Things worth counting that are not failures of a call, such as links dropped. Part of the snapshot."""

    @abstractmethod
    def ingest(self, session: Session) -> None:
        """Take in one session (or part of one). May call the model."""

    @abstractmethod
    def recall(self, question: Question) -> Recall:
        """Find what the reader should read for `question`."""

    def answer(self, question: Question, instruction: str, sampling: Sampling) -> OwnAnswer:
        """Answer through the method's own loop.

        `instruction` is the reader's wording for the question, `sampling` what the reader would ask with. Temperature
        and top_p hold for every call that may bring the answer; how long a reply may be is the method's own.
        """
        raise NotImplementedError(f"{type(self).__name__} answers through the shared reader")

    @abstractmethod
    def snapshot(self) -> Snapshot:
        """The whole memory. `restore` of it into a new instance gives the same `recall` and the same next `ingest`."""

    @abstractmethod
    def restore(self, snapshot: Snapshot) -> None:
        """Become the memory that `snapshot` describes."""
