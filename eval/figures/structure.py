"""What figure 4 can't show: how the notes' vectors lie, and how far a picture of them can be trusted, over seeds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from amem.errors import ResultsError
from eval.memories.stored import StoredMemory

SEEDS = tuple(range(5))
NEIGHBOURS = 5
MEMORIES = ("A-Mem", "base")


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A conversation's note vectors, shape (notes, dimension): with A-Mem, and as its base has them."""

    name: str
    sessions: tuple[str, ...]
    amem: np.ndarray
    base: np.ndarray


@dataclass(frozen=True, slots=True)
class Structure:
    """How the sessions of one memory's notes lie apart.

    silhouette: of the sessions as clusters (Rousseeuw 1987), -1 to 1; NaN where there is one session.
    purity: share of the NEIGHBOURS nearest notes that are of the same session, 0 to 1.
    trustworthiness: of the picture (Venna and Kaski 2001), 0 to 1; low where neighbours in it are none in truth.
    The first two are of the vectors, by cosine, and depend on no seed; `in_picture` has a value a seed of each.
    """

    silhouette: float
    purity: float
    in_picture: dict[str, tuple[float, ...]]


class Pictured:
    """A dialogue drawn by t-SNE once a seed: notes of A-Mem and of its base together, so that they share a plane."""

    def __init__(self, dialogue: Dialogue, seeds: Sequence[int] = SEEDS) -> None:
        self.dialogue = dialogue
        self.seeds = tuple(seeds)

    @cached_property
    def places(self) -> list[dict[str, np.ndarray]]:
        """A seed's places by memory, each of shape (notes, 2)."""
        both = np.concatenate([self.dialogue.amem, self.dialogue.base])
        halves = [np.split(embedded(both, seed), 2) for seed in self.seeds]
        return [dict(zip(MEMORIES, pair, strict=True)) for pair in halves]

    @cached_property
    def structures(self) -> dict[str, Structure]:
        vectors = {"A-Mem": self.dialogue.amem, "base": self.dialogue.base}
        return {
            name: structure(vectors[name], self.dialogue.sessions, [places[name] for places in self.places])
            for name in MEMORIES
        }


def dialogue(memory: StoredMemory) -> Dialogue:
    """The base is the same notes as they were taken in, before any later note changed them.

    Raises ResultsError where the memory holds no notes, or too few to draw.
    """
    if not _drawable(memory):
        raise ResultsError(f"{memory.backbone}/{memory.method}/{memory.name}: too few notes for a picture")
    first, last = memory.first_and_last_vectors()
    return Dialogue(memory.name, tuple(note["session"] for note in memory.snapshot.state["notes"]), last, first)


def dialogues_of(memories: Iterable[StoredMemory], count: int = 2) -> list[Dialogue]:
    """The first `count` conversations with notes enough, of the first A-Mem among `memories`, as first repeated."""
    drawable = [memory for memory in memories if _drawable(memory) and not memory.repeat]
    return [dialogue(m) for m in drawable if (m.backbone, m.method) == (drawable[0].backbone, drawable[0].method)][
        :count
    ]


def _drawable(memory: StoredMemory) -> bool:
    return memory.has_notes and len(memory.snapshot.state["notes"]) > 2 * NEIGHBOURS


def embedded(vectors: np.ndarray, seed: int) -> np.ndarray:
    """t-SNE by cosine (van der Maaten and Hinton 2008; scikit-learn), shape (notes, 2), from a random start."""
    from sklearn.manifold import TSNE
    from threadpoolctl import threadpool_limits

    made = TSNE(2, perplexity=min(30.0, (len(vectors) - 1) / 3), metric="cosine", init="random", random_state=seed)
    # Its threads wait for one another at every one of a thousand steps: one alone is several times as fast.
    with threadpool_limits(1):
        return made.fit_transform(vectors)


def structure(vectors: np.ndarray, sessions: Sequence[str], pictures: Sequence[np.ndarray]) -> Structure:
    """`vectors` of shape (notes, dimension), `pictures` of shape (notes, 2), one a seed."""
    from sklearn.manifold import trustworthiness

    return Structure(
        _silhouette(vectors, sessions, "cosine"),
        _purity(vectors, sessions, "cosine"),
        {
            "silhouette": tuple(_silhouette(places, sessions, "euclidean") for places in pictures),
            "purity": tuple(_purity(places, sessions, "euclidean") for places in pictures),
            "trustworthiness": tuple(
                float(trustworthiness(vectors, places, n_neighbors=NEIGHBOURS, metric="cosine")) for places in pictures
            ),
        },
    )


def _silhouette(points: np.ndarray, sessions: Sequence[str], metric: str) -> float:
    from sklearn.metrics import silhouette_score

    several = 1 < len(set(sessions)) < len(sessions)
    return float(silhouette_score(points, sessions, metric=metric)) if several else float("nan")


def _purity(points: np.ndarray, sessions: Sequence[str], metric: str) -> float:
    from sklearn.neighbors import NearestNeighbors

    labels = np.asarray(sessions)
    search = NearestNeighbors(n_neighbors=NEIGHBOURS, metric=metric).fit(points)
    return float(np.mean(labels[search.kneighbors(return_distance=False)] == labels[:, None]))


def spread(values: Sequence[float]) -> tuple[float, float, float]:
    """Mean, and the 2.5% and 97.5% points of a Student t interval of the mean over seeds."""
    from scipy.stats import t

    data = np.asarray(values, dtype=float)
    half = t.ppf(0.975, len(data) - 1) * data.std(ddof=1) / np.sqrt(len(data)) if len(data) > 1 else float("nan")
    return float(data.mean()), float(data.mean() - half), float(data.mean() + half)
