"""The vectors of the notes: from which text each is made, and when it is made anew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from amem.contract import Tools
from amem.errors import ConfigurationError
from amem.index import CosineIndex, Hit
from amem.network import NoteNetwork
from amem.note import Note
from amem.settings import AMemSettings


class NoteVectors:
    """The index over all notes. In the paper's variant it holds exactly the vectors of the notes as they are now."""

    def __init__(self, settings: AMemSettings, tools: Tools) -> None:
        self._settings = settings
        self._tools = tools
        self.index = CosineIndex(tools.embedder.dimension)
        self.first: dict[str, np.ndarray] = {}
        """Vectors that notes were taken in with, of those that have another by now: what drift is measured from."""
        self.arrivals_with_changes = 0
        """Notes whose arrival changed something, as the model put it; `refresh: every` counts by it."""
        for part in (settings.index_text, settings.refresh_text):
            if part not in tools.prompts.parts():
                raise ConfigurationError(
                    f"index_text, refresh_text: prompt pack {tools.prompts.folder} has no part {part!r}; "
                    f"it has: {', '.join(tools.prompts.parts())}"
                )

    def search(self, text: str, k: int) -> list[Hit]:
        return self.index.search(self._embed(text), k)

    def neighbours(self, note: Note) -> list[str]:
        """Equations 4 and 5: ids of the notes nearest to one that is not in the index yet, nearest first."""
        text = self.text_of(note) if self._settings.neighbour_query == "note" else note.content
        return [hit.id for hit in self.search(text, self._settings.link_k)]

    def add(self, note: Note) -> None:
        self.index.add(note.id, self._embed(self.text_of(note)))

    def note_changed(self, note: Note) -> None:
        """Told of every note that evolved; one that is not in the index yet is embedded when it is added."""
        if self._settings.refresh == "at_once" and note.id in self.index:
            self._replace(note.id, self.text_of(note))

    def arrival_changed_notes(self, network: NoteNetwork) -> None:
        """Told after a note was added whose arrival changed something."""
        self.arrivals_with_changes += 1
        if self._settings.refresh == "every" and self.arrivals_with_changes % self._settings.refresh_every == 0:
            for note in network:
                self._replace(note.id, self._render(self._settings.refresh_text, note))

    def text_of(self, note: Note) -> str:
        """What is embedded when a note is taken in; the content alone where attributes are switched off."""
        return self._render(self._settings.index_text, note)

    def to_state(self) -> dict[str, Any]:
        return {"arrivals_with_changes": self.arrivals_with_changes, "first_vectors_of": list(self.first)}

    def arrays(self) -> dict[str, np.ndarray]:
        """`vectors` of shape (notes, dimension) in order of construction; `first_vectors` in that of the state."""
        dimension = self._tools.embedder.dimension
        first = np.array(list(self.first.values()), dtype=np.float32).reshape(-1, dimension)
        return {"vectors": self.index.vectors(), "first_vectors": first}

    def restore(self, ids: Iterable[str], state: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
        self.arrivals_with_changes = state["arrivals_with_changes"]
        self.first = dict(zip(state["first_vectors_of"], arrays["first_vectors"], strict=True))
        self.index = CosineIndex(self._tools.embedder.dimension)
        for note_id, vector in zip(ids, arrays["vectors"], strict=True):
            self.index.add(note_id, vector)

    def _replace(self, note_id: str, text: str) -> None:
        self.first.setdefault(note_id, self.index.vector(note_id))
        self.index.replace(note_id, self._embed(text))

    def _render(self, part: str, note: Note) -> str:
        if not self._settings.attributes:
            return note.content
        return self._tools.prompts.render(
            part, content=note.content, keywords=note.keywords, tags=note.tags, context=note.context
        )

    def _embed(self, text: str) -> np.ndarray:
        return self._tools.embedder.encode([text])[0]
