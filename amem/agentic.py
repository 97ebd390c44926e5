"""A-Mem: construct, link, evolve, retrieve (section 3 of the paper). Where the released code does otherwise, a switch
of `AMemSettings` says so, and the module that it works in is named for what it decides."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from amem import tokens
from amem.contract import MemoryMethod, Question, Recall, Session, Snapshot, Source, Tools, Turn
from amem.evolution import SeparateCalls
from amem.following import LinkFollower, Shown
from amem.index import Hit
from amem.joint_evolution import JointCall
from amem.lm.tolerance import usable
from amem.lm.types import Completion, ModelFailure
from amem.network import NoteNetwork
from amem.note import Attributes, Note, id_at
from amem.query import Query, query_for
from amem.refresh import NoteVectors
from amem.revision import Decided
from amem.settings import RECALL_SETTINGS, AMemSettings


class AMem(MemoryMethod):
    """A memory that writes its own notes, links them, and rewrites old ones."""

    Settings: ClassVar[type] = AMemSettings
    recall_settings: ClassVar[frozenset[str]] = RECALL_SETTINGS

    def __init__(self, settings: AMemSettings, tools: Tools) -> None:
        super().__init__(settings, tools)
        self.network = NoteNetwork()
        self.vectors = NoteVectors(settings, tools)
        way_to_ask = JointCall if settings.evolution_call == "joint" else SeparateCalls
        self._reviser = way_to_ask(settings, tools, self.counters)

    def ingest(self, session: Session) -> None:
        # Notes are constructed from their turn alone (equation 2), so a session's constructions run side by side;
        # linking and evolution see the memory as the notes before left it and run in order.
        turns = session.turns
        for together in [turns] if self.settings.construct_ahead else [(turn,) for turn in turns]:
            self._ingest_turns(session, together)

    def recall(self, question: Question) -> Recall:
        k = self.settings.k_by_category.get(question.category, self.settings.retrieve_k)
        query = query_for(question, self.settings, self.tools)
        hits = self.vectors.search(query.text, k)
        limit = k if self.settings.linked_notes is None else self.settings.linked_notes
        follower = LinkFollower(self.settings.link_direction, self.settings.link_cap, limit, self.settings.linked_once)
        shown = follower.follow([hit.id for hit in hits], self.network)
        text = self._render(shown)
        # The hits come first: evidence recall at k reads this order.
        ordered = [s for s in shown if not s.via] + [s for s in shown if s.via]
        turns = dict.fromkeys(self.network[s.note_id].turn_id for s in ordered)
        return Recall(text, tuple(map(Source, turns)), tokens.count(text), self._trace(query, hits, shown))

    def snapshot(self) -> Snapshot:
        state = {**self.network.to_json(), "counters": dict(self.counters), "vectors": self.vectors.to_state()}
        return Snapshot(state, self.vectors.arrays())

    def restore(self, snapshot: Snapshot) -> None:
        self.network = NoteNetwork.from_json(snapshot.state)
        self.counters.clear()
        self.counters.update(snapshot.state["counters"])
        ids = [note.id for note in self.network]
        self.vectors.restore(ids, snapshot.state["vectors"], snapshot.arrays)

    def _ingest_turns(self, session: Session, turns: tuple[Turn, ...]) -> None:
        contents = [self.tools.prompts.render("turn", turn=turn) for turn in turns]
        constructed = self._construct(session, turns, contents)
        for turn, content, result in zip(turns, contents, constructed, strict=True):
            note = self._note(session, turn, content, result)
            self._take_in(note, call=result.key if isinstance(result, Completion) else None)

    def _construct(
        self, session: Session, turns: tuple[Turn, ...], contents: list[str]
    ) -> list[Completion | ModelFailure | None]:
        if not self.settings.attributes:
            return [None] * len(contents)
        time = session.date_text if self.settings.note_time else None
        requests = []
        for i, (turn, content) in enumerate(zip(turns, contents, strict=True)):
            note = {"content": content, "time": time, "speaker": turn.speaker}
            request = self.tools.prompts.request("note_construct", note=note)
            requests.append(replace(request, label=id_at(len(self.network) + i)))
        return list(self.tools.lm.complete_many(requests))

    def _note(self, session: Session, turn: Turn, content: str, result: Completion | ModelFailure | None) -> Note:
        completion = usable(result, self.counters) if result is not None else None
        attributes = Attributes.from_json(completion.parsed) if completion else Attributes()
        return Note(
            id=self.network.next_id(),
            turn_id=turn.id,
            session_id=session.id,
            speaker=turn.speaker,
            content=content,
            time=session.date_text,
            attributes=replace(attributes, context=attributes.context or self.settings.empty_context),
        )

    def _take_in(self, note: Note, *, call: str | None) -> None:
        neighbours = [self.network[note_id] for note_id in self.vectors.neighbours(note)]
        revision = self._reviser.revise(note, neighbours)
        self.network.add(note, call=call)
        for decided in revision.changes:
            self._make(decided, note.id)
        self.vectors.add(self.network[note.id])
        if revision.said_yes:
            self.vectors.arrival_changed_notes(self.network)

    def _make(self, decided: Decided, cause_id: str) -> None:
        change = decided.change
        if isinstance(change, int):
            self.network.link_position(decided.note_id, change, cause_id=cause_id, call=decided.call)
        elif isinstance(change, str) and change in self.network[decided.note_id].links:
            self.counters["links_dropped:twice"] += 1
        elif isinstance(change, str):
            self.network.link(decided.note_id, change, cause_id=cause_id, call=decided.call)
        elif change == self.network[decided.note_id].attributes:
            self.counters["evolutions_without_change"] += 1
        else:
            self.network.evolve(decided.note_id, change, cause_id=cause_id, call=decided.call)
            self.vectors.note_changed(self.network[decided.note_id])

    def _render(self, shown: list[Shown]) -> str:
        render = self.tools.prompts.render
        notes = [render("linked_note" if s.via else "note", note=self.network[s.note_id]) for s in shown]
        return render("note_list", notes=notes)

    def _trace(self, query: Query, hits: list[Hit], shown: list[Shown]) -> dict[str, object]:
        def named(note_id: str) -> dict[str, str]:
            return {"note": note_id, "turn": self.network[note_id].turn_id}

        links = [link for hit in hits for link in self.network[hit.id].links]
        trace: dict[str, object] = {
            "hits": [{**named(hit.id), "score": hit.score} for hit in hits],
            "linked": [{**named(s.note_id), "via": s.via} for s in shown if s.via],
            "dead_links": sum(self.network.resolve(link) is None for link in links),
        }
        if self.settings.query != "question":
            trace["query"] = query.text
        return {**trace, "query_failure": query.failure} if query.failure else trace
