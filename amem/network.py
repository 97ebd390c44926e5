"""The notes of one conversation, their links, and the history that made them what they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from amem.note import Attributes, Change, Note


class NoteNetwork:
    """Notes by id. Every change goes through one of three methods and is kept in `history`."""

    def __init__(self) -> None:
        self._notes: dict[str, Note] = {}
        self._linked_from: dict[str, list[str]] = {}
        self.history: list[Change] = []

    def __len__(self) -> int:
        return len(self._notes)

    def __iter__(self) -> Iterator[Note]:
        """In order of construction."""
        return iter(self._notes.values())

    def __getitem__(self, note_id: str) -> Note:
        return self._notes[note_id]

    def __contains__(self, note_id: object) -> bool:
        return note_id in self._notes

    def next_id(self) -> str:
        return f"n{len(self._notes) + 1}"

    def linked_from(self, note_id: str) -> tuple[str, ...]:
        """Ids of the notes that link to this one, oldest first."""
        return tuple(self._linked_from[note_id])

    def add(self, note: Note, *, call: str | None) -> None:
        if note.id in self._notes or note.links:
            raise ValueError(f"note {note.id} exists already or comes with links")
        self._notes[note.id] = note
        self._linked_from[note.id] = []
        self.history.append(Change("construct", note.id, note.id, call, after=note.attributes))

    def link(self, source_id: str, target_id: str, *, cause_id: str, call: str | None) -> None:
        """Link source to target; both exist, differ, and are not linked that way yet."""
        source = self._notes[source_id]
        if target_id not in self._notes or target_id == source_id or target_id in source.links:
            raise ValueError(f"{source_id} can't be linked to {target_id}")
        self._notes[source_id] = replace(source, links=(*source.links, target_id))
        self._linked_from[target_id].append(source_id)
        self.history.append(Change("link", source_id, cause_id, call, target_id=target_id))

    def evolve(self, note_id: str, attributes: Attributes, *, cause_id: str, call: str | None) -> None:
        """Replace a note's attributes; its content stays."""
        before = self._notes[note_id]
        self._notes[note_id] = replace(before, attributes=attributes)
        self.history.append(Change("evolve", note_id, cause_id, call, before=before.attributes, after=attributes))

    def boxes(self) -> list[list[str]]:
        """Connected components of the link graph, each in order of construction, the largest first.

        The paper's *boxes* (section 3.4) hold notes that are similar and linked; it gives no other definition.
        """
        seen: set[str] = set()
        boxes: list[list[str]] = []
        for start in self._notes:
            if start in seen:
                continue
            box, frontier = {start}, [start]
            while frontier:
                note_id = frontier.pop()
                fresh = {*self._notes[note_id].links, *self._linked_from[note_id]} - box
                box |= fresh
                frontier.extend(fresh)
            seen |= box
            boxes.append([note_id for note_id in self._notes if note_id in box])
        return sorted(boxes, key=len, reverse=True)

    def changes_of(self, note_id: str) -> list[Change]:
        return [change for change in self.history if change.note_id == note_id]

    def to_json(self) -> dict[str, Any]:
        notes = [
            {
                "id": note.id,
                "turn": note.turn_id,
                "session": note.session_id,
                "speaker": note.speaker,
                "content": note.content,
                "time": note.time,
                **note.attributes.to_json(),
                "links": list(note.links),
            }
            for note in self
        ]
        return {"notes": notes, "history": [change.to_json() for change in self.history]}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> NoteNetwork:
        """The network that `to_json` described; its history must lead to its notes."""
        network = cls.replay([Change.from_json(change) for change in value["history"]], value["notes"])
        if network.to_json()["notes"] != list(value["notes"]):
            raise ValueError(
                "the history of this memory does not lead to its notes: the snapshot was edited or damaged"
            )
        return network

    @classmethod
    def replay(cls, history: list[Change], fixed: list[Mapping[str, Any]]) -> NoteNetwork:
        """Apply `history` from nothing; `fixed` gives what no change may touch (content, time, turn, …) by note."""
        by_id = {note["id"]: note for note in fixed}
        network = cls()
        for change in history:
            if change.kind == "construct":
                source = by_id[change.note_id]
                note = Note(
                    id=source["id"],
                    turn_id=source["turn"],
                    session_id=source["session"],
                    speaker=source["speaker"],
                    content=source["content"],
                    time=source["time"],
                    attributes=change.after or Attributes(),
                )
                network.add(note, call=change.call)
            elif change.kind == "link":
                network.link(change.note_id, change.target_id or "", cause_id=change.cause_id, call=change.call)
            else:
                network.evolve(change.note_id, change.after or Attributes(), cause_id=change.cause_id, call=change.call)
        return network

    def evolutions(self) -> Counter[str]:
        """How often each note evolved; notes that never did are absent."""
        return Counter(change.note_id for change in self.history if change.kind == "evolve")
