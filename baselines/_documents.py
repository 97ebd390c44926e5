"""What plain retrieval looks for: documents made of pieces, the stretches that are searched, and what fits a window."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from amem.index import Hit
from baselines._window import keep_most


@dataclass(frozen=True, slots=True)
class Document:
    """What is retrieved as one: a turn, a fact, a summary, or a session as far as it was played."""

    id: str
    session: str
    number: int
    date_text: str
    pieces: tuple[str, ...]
    """A session's turns, one each; all else is one piece."""
    turn_ids: tuple[str, ...]
    """What the pieces show, turn by turn, or what the one piece was written from."""

    @property
    def text(self) -> str:
        return "\n".join(self.pieces)

    def grown(self, pieces: tuple[str, ...], turn_ids: tuple[str, ...]) -> Document:
        return replace(self, pieces=self.pieces + pieces, turn_ids=self.turn_ids + turn_ids)

    def beginning(self, pieces: int) -> Document:
        """The first so many pieces, with the turns that they show."""
        if pieces == len(self.pieces):
            return self
        return replace(self, pieces=self.pieces[:pieces], turn_ids=self.turn_ids[:pieces])

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Document:
        return cls(**{**data, "pieces": tuple(data["pieces"]), "turn_ids": tuple(data["turn_ids"])})


def stretches(pieces: Sequence[str], words: int | None) -> Iterator[str]:
    """The pieces in stretches of at most `words` words, a longer piece alone; all as one stretch where it is None.

    More pieces make the last stretch longer or add to them; the others stay as they are.
    """
    stretch: list[str] = []
    length = 0
    for piece in pieces:
        size = len(piece.split())
        if stretch and words is not None and length + size > words:
            yield "\n".join(stretch)
            stretch, length = [], 0
        stretch.append(piece)
        length += size
    if stretch:
        yield "\n".join(stretch)


def stretch_id(document: str, place: int) -> str:
    return f"{document}#{place}"


def nearest_documents(hits: Sequence[Hit], k: int) -> list[Hit]:
    """The first k documents of the stretches in `hits`: a document is as near as its nearest stretch."""
    best: dict[str, Hit] = {}
    for hit in hits:
        document = hit.id.rpartition("#")[0]
        best.setdefault(document, Hit(document, hit.score))
        if len(best) == k:
            break
    return list(best.values())


def that_fit(documents: Sequence[Document], fits: Callable[[list[Document]], bool]) -> list[Document]:
    """The first documents that fit together; the one at the cut keeps the beginning of it that still fits."""
    whole = keep_most(len(documents), lambda n: fits(list(documents[:n]))) or 0
    kept = list(documents[:whole])
    if whole == len(documents):
        return kept
    cut = documents[whole]
    pieces = keep_most(len(cut.pieces) - 1, lambda n: fits([*kept, cut.beginning(n)] if n else kept)) or 0
    return [*kept, cut.beginning(pieces)] if pieces else kept
