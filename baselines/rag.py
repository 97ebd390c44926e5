"""Plain retrieval: LoCoMo's own retrieval baselines (snap-research/locomo@3eb6f2c; section 5 of its ACL paper), and
DialSim's histories of utterances and of whole sessions (simulator.py of jiho283/Simulator).

The control for A-Mem: one document a turn, embedded as it stands and found by the question as it stands, is A-Mem
with attributes, links and evolution switched off.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from amem import tokens
from amem.contract import MemoryMethod, Question, Recall, Session, Snapshot, Source, Tools
from amem.errors import ConfigurationError, DataError
from amem.index import Hit
from baselines._documents import Document, nearest_documents, stretch_id, stretches, that_fit
from baselines._retrievers import Bm25Retriever, CosineRetriever, Retriever
from baselines._window import room

DOCUMENTS = ("turns", "sessions", "observations", "summaries")
RETRIEVERS = ("cosine", "bm25")


@dataclass(frozen=True)
class RagSettings:
    """Parameters of plain retrieval."""

    documents: str = "turns"
    """`turns`; `sessions`, each as far as it was played; or, where the data set has them, its `observations` (facts
    with their turns) or session `summaries`."""
    retriever: str = "cosine"
    """`cosine` of the run's embedder, or `bm25`. LoCoMo used DRAGON, DialSim text-embedding-3-small and BM25."""
    k: int = 10
    """Documents retrieved. LoCoMo: 5, 10, 25, 50 for turns and observations; 2, 5, 10 for summaries. DialSim: 20
    utterances; 10 sessions."""
    dated: bool = True
    """Whether each document is shown under its session's date."""
    date_searched: bool = False
    """Whether that date is searched with the document (DialSim) or only shown (LoCoMo)."""
    stretch_words: int | None = 150
    """Sessions are embedded in stretches of whole turns of at most so many words, and a session is as near as its
    nearest stretch: an embedder reads the start of a text (MiniLM 256 word pieces) and passes over the rest. None:
    one vector a session, as DialSim has it, whose embedder reads 8,191 tokens. BM25 always sees the whole session."""
    answer_reserve_tokens: int = 1500
    """Tokens of the window kept for the reader's wording and the reply. What doesn't fit beside them is left out,
    worst documents first; the session at the cut keeps its first turns."""

    def __post_init__(self) -> None:
        _one_of("documents", self.documents, DOCUMENTS)
        _one_of("retriever", self.retriever, RETRIEVERS)
        for name, least in (("k", 1), ("stretch_words", 1), ("answer_reserve_tokens", 0)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise ConfigurationError(f"rag: settings.{name} must be at least {least}, not {value}")


class Rag(MemoryMethod):
    """The k documents nearest to the question, best first."""

    Settings: ClassVar[type] = RagSettings
    recall_settings: ClassVar[frozenset[str]] = frozenset({"k", "dated", "answer_reserve_tokens"})

    def __init__(self, settings: RagSettings, tools: Tools) -> None:
        super().__init__(settings, tools)
        self.documents: dict[str, Document] = {}
        self.retriever: Retriever = Bm25Retriever() if settings.retriever == "bm25" else CosineRetriever(tools.embedder)

    def ingest(self, session: Session) -> None:
        changed = [self._session(session)] if self.settings.documents == "sessions" else self._new(session)
        self.documents |= {document.id: document for document in changed}
        self.retriever.put(*self._searched(changed))

    def recall(self, question: Question) -> Recall:
        if not self.documents:
            raise DataError(
                f"rag: there are no {self.settings.documents} to search: this data set ships none for these sessions; "
                "set methods.rag.settings.documents=turns"
            )
        hits = self._nearest(question.text)
        found = [self.documents[hit.id] for hit in hits]
        budget = room(self.tools.lm, question.text, self.settings.answer_reserve_tokens)
        shown = that_fit(found, lambda some: self.tools.lm.count_tokens(self._text(some)) <= budget)
        text = self._text(shown)
        trace = {"hits": [self._trace(hit) for hit in hits], **self._cut(found, shown)}
        return Recall(text, self._sources(shown), tokens.count(text), trace)

    def snapshot(self) -> Snapshot:
        state = {"documents": [asdict(d) for d in self.documents.values()], "counters": dict(self.counters)}
        return Snapshot(state, self.retriever.arrays())

    def restore(self, snapshot: Snapshot) -> None:
        documents = [Document.from_json(data) for data in snapshot.state["documents"]]
        self.documents = {document.id: document for document in documents}
        self.retriever.restore(*self._searched(documents), dict(snapshot.arrays))
        self.counters.clear()
        self.counters.update(snapshot.state["counters"])

    def _new(self, session: Session) -> list[Document]:
        return [
            self._document(f"d{place}", session, (text,), turn_ids)
            for place, (text, turn_ids) in enumerate(self._texts(session), start=len(self.documents))
        ]

    def _session(self, session: Session) -> Document:
        """The session's document: a new one, or the last one grown by the part that was played since."""
        pieces = tuple(self.tools.prompts.render("turn", turn=turn) for turn in session.turns)
        turn_ids = tuple(turn.id for turn in session.turns)
        last = next(reversed(self.documents.values()), None)
        if last is not None and last.session == session.id:
            return last.grown(pieces, turn_ids)
        return self._document(f"d{len(self.documents)}", session, pieces, turn_ids)

    def _document(self, id_: str, session: Session, pieces: tuple[str, ...], turn_ids: tuple[str, ...]) -> Document:
        return Document(id_, session.id, session.number, session.date_text, pieces, turn_ids)

    def _texts(self, session: Session) -> Iterable[tuple[str, tuple[str, ...]]]:
        if self.settings.documents == "turns":
            return [(self.tools.prompts.render("turn", turn=turn), (turn.id,)) for turn in session.turns]
        if self.settings.documents == "observations":
            return [(fact.text, fact.turn_ids) for fact in session.observations]
        return [(session.summary, tuple(turn.id for turn in session.turns))] if session.summary else []

    def _searched(self, documents: Iterable[Document]) -> tuple[list[str], list[str]]:
        """Ids and texts of all stretches."""
        whole = self.settings.documents != "sessions" or self.settings.retriever == "bm25"
        words = None if whole else self.settings.stretch_words
        dated = self.settings.date_searched
        found = {
            stretch_id(document.id, place): self._shown(document, text, dated) if dated else text
            for document in documents
            for place, text in enumerate(stretches(document.pieces, words))
        }
        return list(found), list(found.values())

    def _nearest(self, question: str) -> list[Hit]:
        # A session may have any number of stretches before that of the k-th session.
        k = len(self.retriever) if self.settings.documents == "sessions" else self.settings.k
        return nearest_documents(self.retriever.search(question, k), self.settings.k)

    def _text(self, documents: Sequence[Document]) -> str:
        between = "\n\n" if self.settings.documents == "sessions" else "\n"
        return between.join(self._shown(document, document.text, self.settings.dated) for document in documents)

    def _shown(self, document: Document, text: str, dated: bool) -> str:
        part = "rag_session" if self.settings.documents == "sessions" else "rag_document"
        date_text = document.date_text if dated else None
        return self.tools.prompts.render(part, date_text=date_text, number=document.number, text=text)

    def _sources(self, shown: Iterable[Document]) -> tuple[Source, ...]:
        derived = self.settings.documents not in ("turns", "sessions")
        turns = dict.fromkeys(turn_id for document in shown for turn_id in document.turn_ids)
        return tuple(Source(turn_id, derived) for turn_id in turns)

    def _trace(self, hit: Hit) -> dict[str, Any]:
        return {"document": hit.id, "turns": list(self.documents[hit.id].turn_ids), "score": hit.score}

    def _cut(self, found: Sequence[Document], shown: Sequence[Document]) -> dict[str, Any]:
        """What the window left out, where it left out anything."""
        if list(found) == list(shown):
            return {}
        dropped = sum(len(d.turn_ids) for d in found) - sum(len(d.turn_ids) for d in shown)
        return {
            "documents_dropped": len(found) - len(shown),
            "turns_dropped": dropped,
            "counts": {"context_truncated": 1},
        }


def _one_of(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ConfigurationError(f"rag: settings.{name} is one of {', '.join(known)}, not {value!r}")
