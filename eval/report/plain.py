"""What plain top-k retrieval would have shown: the notes nearest to a question, without following a link."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from amem.lm.records import RecordStore


def plain_top(
    question: str, count: int, notes: Sequence[str], vectors: np.ndarray, store: RecordStore | None, encoder: str
) -> list[dict[str, Any]] | None:
    """The `count` notes of highest cosine to the question, best first: as many as the memory showed with its links.

    vectors: shape (len(notes), dimension), unit length. None where the question's vector was not recorded.
    """
    if store is None or len(vectors) != len(notes):
        return None
    query = store.get_vector(encoder, hashlib.sha256(question.encode("utf-8", "surrogatepass")).hexdigest())
    if query is None:
        return None
    scores = vectors.astype(np.float64) @ query.astype(np.float64)
    order = np.lexsort((np.arange(len(notes)), -scores))[:count]
    return [{"note": notes[place], "score": round(float(scores[place]), 6)} for place in order]


def shown_notes(trace: Mapping[str, Any]) -> int:
    """How many different notes an A-Mem recall put into the prompt."""
    return len({entry["note"] for entry in (*trace.get("hits", ()), *trace.get("linked", ()))})
