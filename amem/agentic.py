"""A-Mem as section 3 of the paper has it: construct, link, evolve, retrieve."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from amem import tokens
from amem.contract import MemoryMethod, Question, Recall, Session, Snapshot, Source, Tools, Turn
from amem.index import CosineIndex, Hit
from amem.lm.tolerance import usable
from amem.lm.types import Completion, ModelFailure
from amem.network import NoteNetwork
from amem.note import Attributes, Note
from amem.settings import AMemSettings


class AMem(MemoryMethod):
    """A memory that writes its own notes, links them, and rewrites old ones."""

    Settings: ClassVar[type] = AMemSettings

    def __init__(self, settings: AMemSettings, tools: Tools) -> None:
        super().__init__(settings, tools)
        self.network = NoteNetwork()
        self.index = CosineIndex(tools.embedder.dimension)

    def ingest(self, session: Session) -> None:
        # Notes are constructed from their turn alone (equation 2), so a session's constructions run side by side;
        # linking and evolution see the memory as the notes before left it and run in order.
        contents = [self.tools.prompts.render("turn", turn=turn) for turn in session.turns]
        constructed = self._construct(session, contents)
        for turn, content, result in zip(session.turns, contents, constructed, strict=True):
            note = self._note(session, turn, content, result)
            self._take_in(note, call=result.key if isinstance(result, Completion) else None)

    def recall(self, question: Question) -> Recall:
        k = self.settings.k_by_category.get(question.category, self.settings.retrieve_k)
        hits = self.index.search(self._embed(question.text), k)
        shown = self._with_linked_notes(hits)
        text = "\n\n".join(
            self.tools.prompts.render("linked_note" if via else "note", note=self.network[note_id])
            for note_id, via in shown
        )
        trace = {
            "hits": [{"note": hit.id, "turn": self.network[hit.id].turn_id, "score": hit.score} for hit in hits],
            "linked": [{"note": i, "turn": self.network[i].turn_id, "via": via} for i, via in shown if via],
        }
        # The hits come first: evidence recall at k reads this order.
        ordered = [i for i, via in shown if not via] + [i for i, via in shown if via]
        sources = tuple(Source(self.network[note_id].turn_id) for note_id in ordered)
        return Recall(text, sources, tokens.count(text), trace)

    def snapshot(self) -> Snapshot:
        state = {**self.network.to_json(), "counters": dict(self.counters)}
        return Snapshot(state, {"vectors": self.index.vectors()})

    def restore(self, snapshot: Snapshot) -> None:
        self.network = NoteNetwork.from_json(snapshot.state)
        self.counters.clear()
        self.counters.update(snapshot.state["counters"])
        self.index = CosineIndex(self.tools.embedder.dimension)
        for note, vector in zip(self.network, snapshot.arrays["vectors"], strict=True):
            self.index.add(note.id, vector)

    def _construct(self, session: Session, contents: list[str]) -> list[Completion | ModelFailure | None]:
        if not self.settings.attributes:
            return [None] * len(contents)
        requests = [
            self.tools.prompts.request(
                "note_construct", note={"content": content, "time": session.date_text, "speaker": turn.speaker}
            )
            for turn, content in zip(session.turns, contents, strict=True)
        ]
        return list(self.tools.lm.complete_many(requests))

    def _note(self, session: Session, turn: Turn, content: str, result: Completion | ModelFailure | None) -> Note:
        completion = usable(result, self.counters) if result is not None else None
        return Note(
            id=self.network.next_id(),
            turn_id=turn.id,
            session_id=session.id,
            speaker=turn.speaker,
            content=content,
            time=session.date_text,
            attributes=Attributes.from_json(completion.parsed) if completion else Attributes(),
        )

    def _take_in(self, note: Note, *, call: str | None) -> None:
        vector = self._embed(self._embedding_text(note))
        near = [hit.id for hit in self.index.search(vector, self.settings.link_k)]  # equations 4 and 5
        self.network.add(note, call=call)
        self.index.add(note.id, vector)
        if near and self.settings.link_generation:
            self._link(note, near)
        if near and self.settings.memory_evolution:
            self._evolve(note.id, near)

    def _link(self, note: Note, near: list[str]) -> None:
        """Equation 6: the model picks among the nearest notes."""
        neighbours = [self.network[note_id] for note_id in near]
        request = self.tools.prompts.request("note_link", note=note, neighbours=neighbours)
        completion = usable(self.tools.lm.complete_many([request])[0], self.counters)
        for target in completion.parsed["links"] if completion else ():
            if target not in near:
                self.counters["links_dropped:unknown_or_self"] += 1
            elif target in self.network[note.id].links:
                self.counters["links_dropped:twice"] += 1
            else:
                self.network.link(note.id, target, cause_id=note.id, call=completion.key)

    def _evolve(self, note_id: str, near: list[str]) -> None:
        """Equation 7: one call a neighbour, each seeing all neighbours as they were before this note came."""
        note, neighbours = self.network[note_id], [self.network[i] for i in near]
        requests = [
            self.tools.prompts.request(
                "note_evolve", note=note, neighbour=neighbour, others=[o for o in neighbours if o.id != neighbour.id]
            )
            for neighbour in neighbours
        ]
        for neighbour, result in zip(neighbours, self.tools.lm.complete_many(requests), strict=True):
            completion = usable(result, self.counters)
            if completion and completion.parsed["update"]:
                self._replace_attributes(neighbour, completion, cause_id=note_id)

    def _replace_attributes(self, neighbour: Note, completion: Completion, *, cause_id: str) -> None:
        evolved = Attributes.from_json(completion.parsed)
        if evolved == neighbour.attributes:
            self.counters["evolutions_without_change"] += 1
            return
        self.network.evolve(neighbour.id, evolved, cause_id=cause_id, call=completion.key)
        self.index.replace(neighbour.id, self._embed(self._embedding_text(self.network[neighbour.id])))

    def _with_linked_notes(self, hits: list[Hit]) -> list[tuple[str, str | None]]:
        """(note id, id of the hit that led to it or None), each hit followed by the linked notes of its box (3.4).

        A link is followed both ways, one step, and a note is shown once.
        """
        budget = len(hits) if self.settings.linked_notes is None else self.settings.linked_notes
        seen = {hit.id for hit in hits}
        shown: list[tuple[str, str | None]] = []
        for hit in hits:
            shown.append((hit.id, None))
            for linked in (*self.network[hit.id].links, *self.network.linked_from(hit.id)):
                if linked not in seen and budget > 0:
                    seen.add(linked)
                    budget -= 1
                    shown.append((linked, hit.id))
        return shown

    def _embedding_text(self, note: Note) -> str:
        """Equation 3: concat(c, K, G, X); the content alone where attributes are switched off."""
        if not self.settings.attributes:
            return note.content
        return self.tools.prompts.render(
            "note_embedding", content=note.content, keywords=note.keywords, tags=note.tags, context=note.context
        )

    def _embed(self, text: str) -> np.ndarray:
        return self.tools.embedder.encode([text])[0]
