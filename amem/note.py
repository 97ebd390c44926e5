"""A-Mem's note: m = {c, t, K, G, X, e, L} (section 3.1), and what happened to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Link = str | int
"""The id of a note, or its place in the list of notes as a model wrote it, unchecked (the released code's links)."""


def id_at(position: int) -> str:
    """The id of the note at `position`, counted from 0 in order of construction."""
    return f"n{position + 1}"


@dataclass(frozen=True, slots=True)
class Attributes:
    """What the model writes about a note: K, G and X of equation 2."""

    keywords: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    context: str = ""

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Attributes:
        return cls(tuple(value["keywords"]), tuple(value["tags"]), value["context"])

    def to_json(self) -> dict[str, Any]:
        return {"keywords": list(self.keywords), "tags": list(self.tags), "context": self.context}


@dataclass(frozen=True, slots=True)
class Note:
    """A note as it stands. `content` never changes; attributes and links do, by way of `NoteNetwork` only."""

    id: str
    turn_id: str
    session_id: str
    speaker: str
    content: str
    """c: the rendered turn."""
    time: str
    """t: the session's date as the data set writes it."""
    attributes: Attributes
    links: tuple[Link, ...] = ()
    """L: what this note was linked to, in the order the links were made."""

    @property
    def position(self) -> int:
        """Its place in order of construction, counted from 0; the released code calls notes by it."""
        return int(self.id[1:]) - 1

    @property
    def keywords(self) -> tuple[str, ...]:
        return self.attributes.keywords

    @property
    def tags(self) -> tuple[str, ...]:
        return self.attributes.tags

    @property
    def context(self) -> str:
        return self.attributes.context


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of the memory's history. The present notes are these, applied in order (`NoteNetwork.replay`)."""

    kind: str
    """`construct`, `link` or `evolve`."""
    note_id: str
    cause_id: str
    """The new note whose arrival brought the change (itself, for `construct`)."""
    call: str | None
    """Record key of the model call that decided it; None where no call did."""
    before: Attributes | None = None
    after: Attributes | None = None
    target: Link | None = None
    """The other end, for `link`."""

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "note": self.note_id,
            "cause": self.cause_id,
            "call": self.call,
            "before": self.before.to_json() if self.before else None,
            "after": self.after.to_json() if self.after else None,
            "target": self.target,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Change:
        return cls(
            kind=value["kind"],
            note_id=value["note"],
            cause_id=value["cause"],
            call=value["call"],
            before=Attributes.from_json(value["before"]) if value["before"] else None,
            after=Attributes.from_json(value["after"]) if value["after"] else None,
            target=value["target"],
        )
