"""Linking and evolution in one call, as the released code has them (memory_layer.py, lines 587-673, commit 7f716dc).

The reply's field names are the released code's, so that its schema can be used as it stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from amem.lm.types import Completion
from amem.note import Note
from amem.revision import Decided, Reviser, Revision

NEW_VALUES = {
    "context": "new_context_neighborhood",
    "keywords": "new_keywords_neighborhood",
    "tags": "new_tags_neighborhood",
}
"""Reply field by attribute: a list with an entry for each neighbour, in the order they were shown. The released
schema has none for keywords."""


class JointCall(Reviser):
    """Asks for the first note too, which has no neighbours."""

    def revise(self, note: Note, neighbours: list[Note]) -> Revision:
        if not (self.settings.link_generation or self.settings.memory_evolution):
            return Revision()
        variables = {
            "note": note,
            "neighbours": neighbours,
            "links_as": self.settings.links_as,
            "strengthen_tags": self.settings.strengthen_tags,
            "evolving": list(self.settings.evolving),
        }
        (reply,) = self.ask([("note_evolve_joint", variables)], note.id)
        if reply is None or not reply.parsed["should_evolve"]:
            return Revision()
        changes: list[Decided] = []
        # An action that the model names twice is done twice, which doubles the note's links.
        for action in reply.parsed["actions"]:
            if action == "strengthen" and self.settings.link_generation:
                changes += self._strengthen(note, neighbours, reply)
            elif action == "update_neighbor" and self.settings.memory_evolution:
                changes += self._update(neighbours, reply)
        return Revision(tuple(changes), said_yes=True)

    def _strengthen(self, note: Note, neighbours: list[Note], reply: Completion) -> list[Decided]:
        changes = self.links(note, neighbours, reply.parsed["suggested_connections"], reply.key)
        if self.settings.strengthen_tags:
            attributes = replace(note.attributes, tags=tuple(reply.parsed["tags_to_update"]))
            changes.append(Decided(note.id, attributes, reply.key))
        return changes

    def _update(self, neighbours: list[Note], reply: Completion) -> list[Decided]:
        """As many neighbours as the reply has tags for; one that it gives no context keeps its own."""
        updated = neighbours
        if "tags" in self.settings.evolving:
            updated = neighbours[: len(reply.parsed[NEW_VALUES["tags"]])]
        return [
            Decided(neighbour.id, self.evolved(neighbour.attributes, _entry(reply.parsed, i)), reply.key)
            for i, neighbour in enumerate(updated)
        ]


def _entry(parsed: Mapping[str, Any], i: int) -> dict[str, Any]:
    """What the reply says of neighbour `i`, by attribute."""
    lists = {attribute: parsed.get(field, []) for attribute, field in NEW_VALUES.items()}
    return {attribute: values[i] for attribute, values in lists.items() if i < len(values)}
