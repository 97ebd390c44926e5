"""The notes of one conversation, their links, and the history that made them what they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from amem.note import Attributes, Change, Link, Note, id_at


class NoteNetwork:
    """Notes by id. Every change goes through one of four methods and is kept in `history`."""

    def __init__(self) -> None:
        self._notes: dict[str, Note] = {}
        self._linked_from: dict[Link, list[str]] = {}
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
        return id_at(len(self._notes))

    def resolve(self, link: Link) -> str | None:
        """The id of the note that a link leads to now; None for a position out of range.

        A position counts from the end where it is negative, as it does in the released code, and one that is out of
        range may come into range as notes are added.
        """
        if isinstance(link, str):
            return link
        position = link + len(self._notes) if link < 0 else link
        return id_at(position) if 0 <= position < len(self._notes) else None

    def linked_from(self, note_id: str) -> tuple[str, ...]:
        """Ids of the notes that link to this one, each once, oldest first."""
        position = self._notes[note_id].position
        names = (note_id, position, position - len(self._notes))
        found = {source for name in names for source in self._linked_from.get(name, ())}
        return tuple(sorted(found, key=lambda source: self._notes[source].position))

    def add(self, note: Note, *, call: str | None) -> None:
        """Take in a new note, whose id is `next_id()`."""
        if note.id != self.next_id() or note.links:
            raise ValueError(f"the next note is {self.next_id()} and has no links yet, not {note.id} with {note.links}")
        self._notes[note.id] = note
        self.history.append(Change("construct", note.id, note.id, call, after=note.attributes))

    def link(self, source_id: str, target_id: str, *, cause_id: str, call: str | None) -> None:
        """Link source to target; both exist, differ, and are not linked that way yet."""
        if target_id not in self._notes or target_id == source_id or target_id in self._notes[source_id].links:
            raise ValueError(f"{source_id} can't be linked to {target_id}")
        self._link(source_id, target_id, cause_id, call)

    def link_position(self, source_id: str, position: int, *, cause_id: str, call: str | None) -> None:
        """Link source to a place in the list of notes, whatever it is and however often it was linked before."""
        self._link(source_id, position, cause_id, call)

    def _link(self, source_id: str, target: Link, cause_id: str, call: str | None) -> None:
        source = self._notes[source_id]
        self._notes[source_id] = replace(source, links=(*source.links, target))
        self._linked_from.setdefault(target, []).append(source_id)
        self.history.append(Change("link", source_id, cause_id, call, target=target))

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
                fresh = self._linked_with(frontier.pop()) - box
                box |= fresh
                frontier.extend(fresh)
            seen |= box
            boxes.append([note_id for note_id in self._notes if note_id in box])
        return sorted(boxes, key=len, reverse=True)

    def _linked_with(self, note_id: str) -> set[str]:
        targets = {target for link in self._notes[note_id].links if (target := self.resolve(link)) is not None}
        return targets.union(self.linked_from(note_id))

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
            network._apply(change, by_id)
        return network

    def _apply(self, change: Change, fixed: Mapping[str, Mapping[str, Any]]) -> None:
        cause = {"cause_id": change.cause_id, "call": change.call}
        after = change.after or Attributes()
        if change.kind == "construct":
            self.add(_constructed(fixed[change.note_id], after), call=change.call)
        elif change.kind == "evolve":
            self.evolve(change.note_id, after, **cause)  # type: ignore[arg-type]
        elif isinstance(change.target, int):
            self.link_position(change.note_id, change.target, **cause)  # type: ignore[arg-type]
        else:
            self.link(change.note_id, change.target or "", **cause)  # type: ignore[arg-type]

    def evolutions(self) -> Counter[str]:
        """How often each note evolved; notes that never did are absent."""
        return Counter(change.note_id for change in self.history if change.kind == "evolve")


def _constructed(fixed: Mapping[str, Any], attributes: Attributes) -> Note:
    return Note(
        id=fixed["id"],
        turn_id=fixed["turn"],
        session_id=fixed["session"],
        speaker=fixed["speaker"],
        content=fixed["content"],
        time=fixed["time"],
        attributes=attributes,
    )
