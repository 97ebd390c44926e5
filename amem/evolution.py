"""Linking and evolution as the paper has them: a link call (equation 6), and a call for each neighbour (equation 7)."""

from __future__ import annotations

from dataclasses import replace

from amem.note import Attributes, Note
from amem.revision import Decided, Reviser, Revision


class SeparateCalls(Reviser):
    """Every call sees the neighbours as they were before the note came."""

    def revise(self, note: Note, neighbours: list[Note]) -> Revision:
        if not neighbours:
            return Revision()
        changes: list[Decided] = []
        if self.settings.link_generation:
            changes += self._link(note, neighbours)
        if self.settings.memory_evolution:
            changes += self._evolve(_as_strengthened(note, changes), neighbours)
        return Revision(tuple(changes), said_yes=bool(changes))

    def _link(self, note: Note, neighbours: list[Note]) -> list[Decided]:
        shown = {"links_as": self.settings.links_as, "strengthen_tags": self.settings.strengthen_tags}
        (reply,) = self.ask([("note_link", {"note": note, "neighbours": neighbours, **shown})], note.id)
        if reply is None:
            return []
        changes = self.links(note, neighbours, reply.parsed["links"], reply.key)
        if self.settings.strengthen_tags and changes:
            attributes = replace(note.attributes, tags=tuple(reply.parsed["tags"]))
            changes.append(Decided(note.id, attributes, reply.key))
        return changes

    def _evolve(self, note: Note, neighbours: list[Note]) -> list[Decided]:
        def variables(neighbour: Note) -> dict[str, object]:
            others = [other for other in neighbours if other.id != neighbour.id]
            evolving = list(self.settings.evolving)
            return {"note": note, "neighbour": neighbour, "others": others, "evolving": evolving}

        replies = self.ask([("note_evolve", variables(neighbour)) for neighbour in neighbours], note.id)
        return [
            Decided(neighbour.id, self.evolved(neighbour.attributes, reply.parsed), reply.key)
            for neighbour, reply in zip(neighbours, replies, strict=True)
            if reply and reply.parsed["update"]
        ]


def _as_strengthened(note: Note, changes: list[Decided]) -> Note:
    rewritten = [decided.change for decided in changes if isinstance(decided.change, Attributes)]
    return replace(note, attributes=rewritten[-1]) if rewritten else note
