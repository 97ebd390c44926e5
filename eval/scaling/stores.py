"""Memories of a given size, filled past the model: the entries are made up, the structures are the methods' own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

import numpy as np

from amem.agentic import AMem
from amem.contract import MemoryMethod, Session, Turn
from amem.errors import ConfigurationError
from amem.index import CosineIndex
from amem.note import Attributes, Note, id_at
from baselines._memorybank.pieces import Place, exchanges_of
from baselines._readagent.pages import Page
from baselines._transcript import Transcript
from baselines.memorybank import MemoryBank
from baselines.readagent import ReadAgent

LINKS = 3
"""Of each made-up note, to earlier ones."""
EXCHANGES = 10
"""Of each made-up session."""
_DAY = datetime(2023, 5, 8, 13, 0)
_DATE_TEXT = "1:00 pm on 8 May, 2023"


def session_of(number: int, texts: Sequence[str]) -> Session:
    """A session whose turns say `texts`, two speakers by turns."""
    turns = (Turn(f"D{number}:{place + 1}", ("Ada", "Ben")[place % 2], text) for place, text in enumerate(texts))
    return Session(f"session_{number}", number, _DAY, _DATE_TEXT, tuple(turns))


def distinct(texts: Sequence[str]) -> Iterator[str]:
    """Texts without end, no two the same: a shared string would take no room."""
    number = 0
    while True:
        number += 1
        yield f"{texts[number % len(texts)]} ({number})"


def fill(method: MemoryMethod, size: int, texts: Iterator[str], vectors: Iterator[np.ndarray]) -> CosineIndex | None:
    """Put `size` entries into an empty memory; returns the vector index that it searches, if it has one.

    An entry is what the method stores a vector or a gist for: a note of A-Mem with its attributes, links and history,
    an exchange of MemoryBank with the session that it stands in (without summaries), a page and gist of ReadAgent.
    Raises ConfigurationError for a method that this file does not know.
    """
    for kind, way in _WAYS.items():
        if isinstance(method, kind):
            return way(method, size, texts, vectors)
    raise ConfigurationError(f"scaling can't fill {type(method).__name__}; it knows {_known()}")


def check_fillable(methods: Mapping[str, type]) -> None:
    """Raises ConfigurationError that names those of the `methods`, classes by name, that `fill` does not know."""
    strange = [f"{name} ({kind.__name__})" for name, kind in methods.items() if not issubclass(kind, tuple(_WAYS))]
    if strange:
        able = ",".join(kind.__name__.lower() for kind in _WAYS)
        raise ConfigurationError(
            f"method: scaling can't fill {', '.join(strange)}; it knows {_known()}: use method=[{able}] or some of them"
        )


def _known() -> str:
    return ", ".join(kind.__name__ for kind in _WAYS)


def _amem(method: AMem, size: int, texts: Iterator[str], vectors: Iterator[np.ndarray]) -> CosineIndex:
    random = np.random.default_rng(0)
    for position, (text, vector) in enumerate(zip(islice(texts, size), vectors, strict=True)):
        words = text.split()
        attributes = Attributes(tuple(words[:4]), tuple(words[-2:]), " ".join(words[:12]))
        note = Note(id_at(position), f"t{position}", "session_1", "Ada", text, _DATE_TEXT, attributes)
        method.network.add(note, call=None)
        for target in {int(t) for t in random.integers(0, max(position, 1), LINKS)} if position else ():
            method.network.link(note.id, id_at(target), cause_id=note.id, call=None)
        method.vectors.index.add(note.id, vector)
    return method.vectors.index


def _memorybank(method: MemoryBank, size: int, texts: Iterator[str], vectors: Iterator[np.ndarray]) -> CosineIndex:
    counts = [min(EXCHANGES, size - start) for start in range(0, size, EXCHANGES)]
    sessions = tuple(session_of(n, list(islice(texts, 2 * count))) for n, count in enumerate(counts, start=1))
    method.transcript = Transcript(sessions)
    places = (Place(n, place).id for n, count in enumerate(counts, start=1) for place in range(count))
    method.store.fill((), places, vectors, _DAY.date())  # type: ignore[arg-type]
    method.store.exchanges.update((e.place, e) for session in sessions for e in exchanges_of(session))
    return method.store.index


def _readagent(method: ReadAgent, size: int, texts: Iterator[str], vectors: Iterator[np.ndarray]) -> None:
    method.pages = tuple(Page(session_of(number, [next(texts)]), gist=next(texts)) for number in range(1, size + 1))


_WAYS: dict[type[MemoryMethod], Callable[..., Any]] = {AMem: _amem, MemoryBank: _memorybank, ReadAgent: _readagent}
