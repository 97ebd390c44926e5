"""MemoryBank: exchanges and session summaries in a vector store, portraits and a global summary always at hand.

Zhong et al., "MemoryBank: Enhancing Large Language Models with Long-Term Memory" (AAAI 2024), and
zhongwanjun/MemoryBank-SiliconFriend@cf61c41. On LoCoMo a session is the paper's day, two turns in a row are an
exchange with both names, and both speakers have a portrait. As the paper says, and other than in the released code,
the global summary is really shown, and the reader gets what was retrieved instead of an answer generated from it.
"""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import ClassVar

from amem import tokens
from amem.contract import MemoryMethod, Question, Recall, Session, Snapshot, Source, Tools
from baselines._calls import Caller
from baselines._memorybank.pieces import Place
from baselines._memorybank.reflection import Reflections, Reflector
from baselines._memorybank.retrieval import Selection
from baselines._memorybank.settings import MemoryBankSettings
from baselines._memorybank.store import Store
from baselines._transcript import Transcript, said


class MemoryBank(MemoryMethod):
    """A summary or portrait that the model does not give is counted, and stays as it was before, or absent."""

    Settings: ClassVar[type] = MemoryBankSettings

    def __init__(self, settings: MemoryBankSettings, tools: Tools) -> None:
        super().__init__(settings, tools)
        self.transcript = Transcript()
        self.reflections = Reflections()
        self.store = Store(settings, tools)
        self._reflector = Reflector(Caller(tools, settings.temperature), tools.prompts, settings.limits)

    def ingest(self, session: Session) -> None:
        counts: Counter[str] = Counter()
        transcript = self.transcript.with_session(session)
        self.reflections = self._reflector.after(transcript, self.reflections, counts)
        self.transcript = transcript
        whole = transcript.sessions[-1]
        self.store.take_in(whole, self.reflections.summaries.get(whole.id), counts)
        self.counters.update(+counts)

    def recall(self, question: Question) -> Recall:
        forgotten = self.store.forgotten()
        selection, scores = self.store.search(question.text, forgotten)
        memories = [self._shown(block) for block in selection.blocks(merge=self.settings.merge_same_date)]
        shown = {
            "portraits": self.reflections.portraits,
            "global_summary": self.reflections.global_summary,
            "memories": memories,
        }
        text = self.tools.prompts.render("memorybank_recall", **shown)
        trace = {
            "hits": [{"piece": place.id, "score": score} for place, score in scores.items()],
            "glued": [place.id for place in selection.places[len(scores) :]],
            "forgotten": sum(not place.is_summary for place in forgotten),
            "tokens": {
                "portraits": sum(map(tokens.count, self.reflections.portraits.values())),
                "global_summary": tokens.count(self.reflections.global_summary or ""),
                "memories": sum(map(tokens.count, memories)),
            },
        }
        return Recall(text, self._sources(selection), tokens.count(text), trace)

    def snapshot(self) -> Snapshot:
        state = {
            "sessions": self.transcript.to_json(),
            "reflections": self.reflections.to_json(),
            "exchanges": self.store.to_json(),
            "pieces": self.store.ids,
            "counters": dict(self.counters),
        }
        return Snapshot(state, {"vectors": self.store.vectors})

    def restore(self, snapshot: Snapshot) -> None:
        state = snapshot.state
        self.transcript = Transcript.from_json(state["sessions"])
        self.reflections = Reflections(**state["reflections"])
        self.store = Store(self.settings, self.tools)
        today = self.transcript.sessions[-1].when.date() if self.transcript.sessions else date.min
        self.store.fill(state["exchanges"], state["pieces"], snapshot.arrays["vectors"], today)
        self.counters.clear()
        self.counters.update(state["counters"])

    def _session(self, place: Place) -> Session:
        return next(session for session in self.transcript.sessions if session.number == place.session)

    def _shown(self, block: list[Place]) -> str:
        session = self._session(block[0])
        turns = [t for place in block if not place.is_summary for t in self.store.exchanges[place].turns]
        return self.tools.prompts.render(
            "memorybank_day",
            session=session,
            summary=self.reflections.summaries[session.id] if any(place.is_summary for place in block) else None,
            dialogue=said(self.tools.prompts, turns),
        )

    def _sources(self, selection: Selection) -> tuple[Source, ...]:
        """Of the retrieved pieces, best first; then of the overall texts, which were written from every turn."""
        sources = [source for place in selection.places for source in self._sources_of(place)]
        if self.reflections.portraits or self.reflections.global_summary:
            sources += [Source(turn.id, derived=True) for session in self.transcript.sessions for turn in session.turns]
        return tuple(dict.fromkeys(sources))

    def _sources_of(self, place: Place) -> list[Source]:
        if place.is_summary:
            return [Source(turn.id, derived=True) for turn in self._session(place).turns]
        return [Source(turn.id) for turn in self.store.exchanges[place].turns]
