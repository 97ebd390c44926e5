"""Plain retrieval: LoCoMo's own retrieval baselines (snap-research/locomo@3eb6f2c; section 5 of its ACL paper).

The control for A-Mem: one document a turn, embedded as it stands and found by the question as it stands, is A-Mem
with attributes, links and evolution switched off.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from amem import tokens
from amem.contract import MemoryMethod, Question, Recall, Session, Snapshot, Source, Tools
from amem.errors import ConfigurationError, DataError
from amem.index import Hit
from baselines._retrievers import Bm25Retriever, CosineRetriever, Retriever

DOCUMENTS = ("turns", "observations", "summaries")
RETRIEVERS = ("cosine", "bm25")


@dataclass(frozen=True)
class RagSettings:
    """Parameters of plain retrieval."""

    documents: str = "turns"
    """`turns`; or, where the data set has them, its `observations` (facts with their turns) or session `summaries`."""
    retriever: str = "cosine"
    """`cosine` of the run's embedder, or `bm25`. LoCoMo used DRAGON."""
    k: int = 10
    """Documents retrieved. LoCoMo: 5, 10, 25, 50 for turns and observations; 2, 5, 10 for summaries."""
    dated: bool = True
    """Whether each document is shown under its session's date (never embedded)."""

    def __post_init__(self) -> None:
        _one_of("documents", self.documents, DOCUMENTS)
        _one_of("retriever", self.retriever, RETRIEVERS)
        if self.k < 1:
            raise ConfigurationError(f"rag: settings.k must be at least 1, not {self.k}")


@dataclass(frozen=True)
class Document:
    """What is retrieved: `text` is embedded, the turns are what it shows or was written from."""

    id: str
    date_text: str
    text: str
    turn_ids: tuple[str, ...]


class Rag(MemoryMethod):
    """The k documents nearest to the question, best first."""

    Settings: ClassVar[type] = RagSettings
    recall_settings: ClassVar[frozenset[str]] = frozenset({"k", "dated"})

    def __init__(self, settings: RagSettings, tools: Tools) -> None:
        super().__init__(settings, tools)
        self.documents: dict[str, Document] = {}
        self.retriever: Retriever = Bm25Retriever() if settings.retriever == "bm25" else CosineRetriever(tools.embedder)

    def ingest(self, session: Session) -> None:
        new = [
            Document(f"d{len(self.documents) + offset}", session.date_text, text, turn_ids)
            for offset, (text, turn_ids) in enumerate(self._texts(session))
        ]
        self.documents |= {document.id: document for document in new}
        self.retriever.add([d.id for d in new], [d.text for d in new])

    def recall(self, question: Question) -> Recall:
        if not self.documents:
            raise DataError(
                f"rag: there are no {self.settings.documents} to search: this data set ships none for these sessions; "
                "set methods.rag.settings.documents=turns"
            )
        hits = self.retriever.search(question.text, self.settings.k)
        text = "\n".join(self._shown(self.documents[hit.id]) for hit in hits)
        return Recall(text, self._sources(hits), tokens.count(text), {"hits": [self._trace(hit) for hit in hits]})

    def snapshot(self) -> Snapshot:
        state = {"documents": [asdict(d) for d in self.documents.values()], "counters": dict(self.counters)}
        return Snapshot(state, self.retriever.arrays())

    def restore(self, snapshot: Snapshot) -> None:
        documents = [Document(**{**d, "turn_ids": tuple(d["turn_ids"])}) for d in snapshot.state["documents"]]
        self.documents = {document.id: document for document in documents}
        self.retriever.restore([d.id for d in documents], [d.text for d in documents], dict(snapshot.arrays))
        self.counters.clear()
        self.counters.update(snapshot.state["counters"])

    def _texts(self, session: Session) -> list[tuple[str, tuple[str, ...]]]:
        if self.settings.documents == "turns":
            return [(self.tools.prompts.render("turn", turn=turn), (turn.id,)) for turn in session.turns]
        if self.settings.documents == "observations":
            return [(fact.text, fact.turn_ids) for fact in session.observations]
        return [(session.summary, tuple(turn.id for turn in session.turns))] if session.summary else []

    def _shown(self, document: Document) -> str:
        date_text = document.date_text if self.settings.dated else None
        return self.tools.prompts.render("rag_document", date_text=date_text, text=document.text)

    def _sources(self, hits: list[Hit]) -> tuple[Source, ...]:
        derived = self.settings.documents != "turns"
        turns = dict.fromkeys(turn_id for hit in hits for turn_id in self.documents[hit.id].turn_ids)
        return tuple(Source(turn_id, derived) for turn_id in turns)

    def _trace(self, hit: Hit) -> dict[str, Any]:
        return {"document": hit.id, "turns": list(self.documents[hit.id].turn_ids), "score": hit.score}


def _one_of(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ConfigurationError(f"rag: settings.{name} is one of {', '.join(known)}, not {value!r}")
