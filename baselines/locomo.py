"""LoCoMo's full-context baseline: the whole conversation stands in the prompt.

Maharana et al., "Evaluating Very Long-Term Conversational Memory of LLM Agents" (ACL 2024), section 5; the two
truncation orders are those of github.com/snap-research/locomo at 9228632 and at 3eb6f2c (global_methods of the
GPT runner).
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, ClassVar, Literal, get_args

from amem import tokens
from amem.contract import MemoryMethod, Question, Recall, Session, Snapshot, Source, Tools, Turn
from amem.errors import ConfigurationError
from baselines._transcript import Transcript
from baselines._window import room

ContextOrder = Literal["chronological_keep_recent", "lc_main"]


@dataclass(frozen=True)
class FullContextSettings:
    """Parameters of the full-context baseline."""

    context_order: ContextOrder = "chronological_keep_recent"
    """Matters in full only where the conversation exceeds the window.

    `chronological_keep_recent`: oldest session first; the oldest turns are dropped (commit 9228632).
    `lc_main`: newest session first, turns inside a session in order; the newest sessions are dropped, and the one
    at the cut keeps its header and its last turns, if any (commit 3eb6f2c).
    """
    answer_reserve_tokens: int = 1500
    """Tokens of the window kept for the reader's wording and the reply; the question itself is counted apart."""

    def __post_init__(self) -> None:
        if self.context_order not in get_args(ContextOrder):
            raise ConfigurationError(
                f"context_order = {self.context_order!r}: choose one of {', '.join(get_args(ContextOrder))}"
            )


@dataclass(frozen=True)
class _Line:
    text: str
    size: int
    """Tokens of the line and its end in the backbone's tokenizer."""


@dataclass(frozen=True)
class _Layout:
    """What is printed when a number of turns is kept."""

    recall: Recall
    size: int
    """Tokens of the text in the backbone's tokenizer."""


class FullContext(MemoryMethod):
    """Remembers everything as it was said and recalls all of it that fits."""

    Settings: ClassVar[type] = FullContextSettings

    def __init__(self, settings: FullContextSettings, tools: Tools) -> None:
        super().__init__(settings, tools)
        self._lock = threading.Lock()
        self._lines: dict[str, _Line] = {}
        self._take(Transcript())

    def ingest(self, session: Session) -> None:
        self._take(self.transcript.with_session(session))

    def recall(self, question: Question) -> Recall:
        budget = room(self.tools.lm, question.text, self.settings.answer_reserve_tokens)
        # Questions come from many threads at once; a text of 20,000 tokens is written and counted once for them all.
        with self._lock:
            kept = self._most_that_fits(budget)
            layout = self._layout(kept)
        return replace(layout.recall, trace={**layout.recall.trace, "budget_tokens": budget})

    def snapshot(self) -> Snapshot:
        return Snapshot({"sessions": self.transcript.to_json(), "counters": dict(self.counters)})

    def restore(self, snapshot: Snapshot) -> None:
        self._take(Transcript.from_json(snapshot.state["sessions"]))
        self.counters.clear()
        self.counters.update(snapshot.state["counters"])

    def _take(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self._layouts: dict[int, _Layout] = {}
        self._sizes: list[int] = []

    def _most_that_fits(self, budget: int) -> int:
        """The number of turns to keep. The sum over lines tells where to cut, the count of the whole text decides."""
        self._sizes = self._sizes or list(accumulate(self._costs()))
        kept = max(0, bisect_right(self._sizes, budget) - 1)
        while kept and self._layout(kept).size > budget:
            kept -= 1
        return kept

    def _costs(self) -> Iterator[int]:
        """Tokens of the first line, then what each further turn adds, in the order in which turns are taken."""
        yield self.tools.lm.count_tokens(self._intro())
        for session in self._walk():
            header = self.tools.lm.count_tokens(self._header(session) + "\n\n")
            for turn in reversed(session.turns):
                yield header + self._line(turn).size
                header = 0

    def _walk(self) -> tuple[Session, ...]:
        """Sessions in the order in which they are taken.

        Both orders take one session after the other, each from its last turn back, and put what they take in front
        of what they have: they differ in the end of the conversation at which they begin.
        """
        sessions = self.transcript.sessions
        return sessions[::-1] if self.settings.context_order == "chronological_keep_recent" else sessions

    def _taken(self, kept: int) -> Iterator[tuple[Session, tuple[Turn, ...]]]:
        """The sessions of `_walk` with those of their turns that are among the first `kept`."""
        for session in self._walk():
            turns = session.turns[max(0, len(session.turns) - kept) :]
            if turns or self.settings.context_order == "lc_main":
                yield session, turns
            kept -= len(turns)
            if len(turns) < len(session.turns):
                return

    def _layout(self, kept: int) -> _Layout:
        if kept not in self._layouts:
            shown = list(self._taken(kept))[::-1]
            text = "\n\n".join([self._intro(), *(self._block(session, turns) for session, turns in shown)])
            size = self.tools.lm.count_tokens(text)
            sources = tuple(Source(turn.id) for _, turns in shown for turn in turns)
            trace = {**self._cut(kept, shown), "tokens_kept": size}
            self._layouts[kept] = _Layout(Recall(text, sources, tokens.count(text), trace), size)
        return self._layouts[kept]

    def _cut(self, kept: int, shown: list[tuple[Session, tuple[Turn, ...]]]) -> dict[str, Any]:
        total = len(self._sizes) - 1
        return {
            "order": self.settings.context_order,
            "turns_kept": kept,
            "turns_dropped": total - kept,
            "sessions_kept": sum(bool(turns) for _, turns in shown),
            "sessions_dropped": len(self.transcript.sessions) - sum(bool(turns) for _, turns in shown),
            "tokens_dropped": self._sizes[total] - self._sizes[kept],
            "counts": {"context_truncated": 1} if kept < total else {},
        }

    def _intro(self) -> str:
        speakers = self.transcript.speakers
        return self.tools.prompts.render("conversation_intro", speakers=speakers) if speakers else ""

    def _header(self, session: Session) -> str:
        return self.tools.prompts.render("session_header", session=session)

    def _line(self, turn: Turn) -> _Line:
        if turn.id not in self._lines:
            text = self.tools.prompts.render("turn", turn=turn)
            self._lines[turn.id] = _Line(text, self.tools.lm.count_tokens(text + "\n"))
        return self._lines[turn.id]

    def _block(self, session: Session, turns: tuple[Turn, ...]) -> str:
        return "\n".join([self._header(session), *(self._line(turn).text for turn in turns)])
