"""What the model decides when a note arrives, whichever calls it is asked in: links, and attributes rewritten."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from amem.contract import Tools
from amem.lm.tolerance import usable
from amem.lm.types import Completion
from amem.note import Attributes, Link, Note
from amem.settings import AMemSettings


@dataclass(frozen=True, slots=True)
class Decided:
    """One change, and the record key of the call that decided it."""

    note_id: str
    change: Link | Attributes
    call: str


@dataclass(frozen=True, slots=True)
class Revision:
    """Changes in the order they are to be made. `said_yes`: the model held that the note changes something."""

    changes: tuple[Decided, ...] = ()
    said_yes: bool = False


@dataclass(frozen=True)
class Reviser:
    """Base of the ways to ask. A reply that can't be used is counted in `counters` and decides nothing."""

    settings: AMemSettings
    tools: Tools
    counters: Counter[str]

    def revise(self, note: Note, neighbours: list[Note]) -> Revision:
        """Ask about a new note and its neighbours, nearest first; may raise ModelFailure."""
        raise NotImplementedError

    def ask(self, calls: list[tuple[str, Mapping[str, Any]]], label: str) -> list[Completion | None]:
        """Make calls (name and template variables) side by side; None for each unusable reply."""
        requests = [replace(self.tools.prompts.request(name, **variables), label=label) for name, variables in calls]
        return [usable(result, self.counters) for result in self.tools.lm.complete_many(requests)]

    def links(self, note: Note, neighbours: list[Note], targets: list[Link], call: str) -> list[Decided]:
        """The links to make of what the model named: ids must be neighbours', positions are taken as they are."""
        if self.settings.links_as == "positions":
            return [self._position(note, int(target), call) for target in targets]
        known = {neighbour.id for neighbour in neighbours}
        if unknown := sum(target not in known for target in targets):
            self.counters["links_dropped:unknown_or_self"] += unknown
        return [Decided(note.id, target, call) for target in targets if target in known]

    def _position(self, note: Note, position: int, call: str) -> Decided:
        if position < 0:
            self.counters["links_to_negative_positions"] += 1
        elif position >= note.position:
            self.counters["links_to_positions_out_of_range"] += 1
        return Decided(note.id, position, call)

    def evolved(self, old: Attributes, said: Mapping[str, Any]) -> Attributes:
        """`old` with what the model says anew of the attributes that may evolve."""
        fields = old.to_json()
        fields.update((name, said[name]) for name in self.settings.evolving if name in said)
        return Attributes.from_json(fields)
