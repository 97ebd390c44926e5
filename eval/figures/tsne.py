"""Figure 4: the notes of two dialogues in two dimensions, A-Mem's beside those of a memory that only stores turns.

The paper reads a claim off one picture of each. t-SNE is free to place clusters as it likes, so what the picture can't
show stands beside it: figures of the vectors themselves, and of how far the picture can be trusted, over seeds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from amem.errors import ResultsError
from eval.figures.drawn import Drawn
from eval.figures.style import AMEM, BASE
from eval.memories.stored import StoredMemory, stored_memories

SEEDS = tuple(range(5))
NEIGHBOURS = 5


@dataclass(frozen=True, slots=True)
class Structure:
    """How a memory's vectors lie; each figure has one value a seed, for what does not depend on the seed one in all.

    silhouette: of the sessions as clusters, cosine, in the full space (Rousseeuw 1987), -1 to 1.
    purity: share of the NEIGHBOURS nearest notes that are of the same session, in the full space, 0 to 1.
    trustworthiness: of the picture (Venna and Kaski 2001), 0 to 1; low where neighbours in it are none in truth.
    """

    silhouette: float
    purity: float
    trustworthiness: tuple[float, ...]
    picture_silhouette: tuple[float, ...]
    """The same silhouette in the picture, which is what an eye judges by."""


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A conversation's note vectors, shape (notes, dimension): with A-Mem, and as its base has them."""

    name: str
    sessions: tuple[str, ...]
    amem: np.ndarray
    base: np.ndarray


def dialogue(memory: StoredMemory) -> Dialogue:
    """The base is the same notes as they were taken in, before any later note changed them.

    Raises ResultsError where the memory holds no notes, or too few to draw.
    """
    if not memory.has_notes or len(memory.snapshot.state["notes"]) <= 2 * NEIGHBOURS:
        raise ResultsError(f"{memory.backbone}/{memory.method}/{memory.name}: too few notes for a picture")
    first, last = memory.first_and_last_vectors()
    return Dialogue(memory.name, tuple(note["session"] for note in memory.snapshot.state["notes"]), last, first)


def dialogues_of(folder: Path, count: int = 2) -> list[Dialogue]:
    """The first `count` conversations with notes enough, of the run's first A-Mem."""
    noted = [m for m in stored_memories(folder) if m.has_notes and len(m.snapshot.state["notes"]) > 2 * NEIGHBOURS]
    return [dialogue(m) for m in noted if (m.backbone, m.method) == (noted[0].backbone, noted[0].method)][:count]


def embedded(vectors: np.ndarray, seed: int) -> np.ndarray:
    """t-SNE by cosine (van der Maaten and Hinton 2008; scikit-learn), shape (notes, 2), from a random start."""
    from sklearn.manifold import TSNE

    perplexity = min(30.0, (len(vectors) - 1) / 3)
    return TSNE(2, perplexity=perplexity, metric="cosine", init="random", random_state=seed).fit_transform(vectors)


def structure(vectors: np.ndarray, sessions: Sequence[str], seeds: Sequence[int] = SEEDS) -> Structure:
    from sklearn.manifold import trustworthiness
    from sklearn.metrics import silhouette_score

    several = 1 < len(set(sessions)) < len(sessions)
    pictures = [embedded(vectors, seed) for seed in seeds]
    return Structure(
        float(silhouette_score(vectors, sessions, metric="cosine")) if several else float("nan"),
        _purity(vectors, sessions),
        tuple(float(trustworthiness(vectors, p, n_neighbors=NEIGHBOURS, metric="cosine")) for p in pictures),
        tuple(float(silhouette_score(p, sessions)) if several else float("nan") for p in pictures),
    )


def _purity(vectors: np.ndarray, sessions: Sequence[str]) -> float:
    from sklearn.neighbors import NearestNeighbors

    labels = np.asarray(sessions)
    search = NearestNeighbors(n_neighbors=NEIGHBOURS, metric="cosine").fit(vectors)
    return float(np.mean(labels[search.kneighbors(return_distance=False)] == labels[:, None]))


def tsne(dialogues: Sequence[Dialogue], seed: int = SEEDS[0]) -> Drawn:
    """One panel a dialogue: A-Mem blue, base red, both placed by one t-SNE, so that they can be compared."""

    def paint(made: Any, axes: Any) -> None:
        for panel, one in zip(np.atleast_1d(axes), dialogues, strict=True):
            places = embedded(np.concatenate([one.base, one.amem]), seed)
            count = len(one.base)
            panel.scatter(*places[:count].T, s=14, color=BASE, marker="s", alpha=0.7, linewidth=0, label="base")
            panel.scatter(*places[count:].T, s=14, color=AMEM, marker="o", alpha=0.7, linewidth=0, label="A-Mem")
            panel.set_title(one.name, loc="left", fontsize="medium")
            panel.set(xticks=[], yticks=[])
        made.legend(*np.atleast_1d(axes)[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)

    names = ", ".join(f"{one.name} ({len(one.amem)} notes)" for one in dialogues)
    title = "Notes of two dialogues by t-SNE" if len(dialogues) > 1 else "Notes of a dialogue by t-SNE"
    alt = f"Two clouds of points for each of {names}; the figures of the vectors say what the picture can't."
    return Drawn("tsne", title, alt, paint, columns=len(dialogues), height=2.9)


def spread(values: Sequence[float]) -> tuple[float, float, float]:
    """Mean, and the 2.5% and 97.5% points of a Student t interval of the mean over seeds."""
    from scipy.stats import t

    data = np.asarray(values, dtype=float)
    half = t.ppf(0.975, len(data) - 1) * data.std(ddof=1) / np.sqrt(len(data)) if len(data) > 1 else float("nan")
    return float(data.mean()), float(data.mean() - half), float(data.mean() + half)


def structure_frame(dialogues: Sequence[Dialogue], seeds: Sequence[int] = SEEDS) -> Any:
    """A row a dialogue and memory; figures of the picture are means over seeds with their 95% intervals."""
    import pandas as pd

    rows = []
    for one in dialogues:
        for memory, vectors in (("A-Mem", one.amem), ("base", one.base)):
            found = structure(vectors, one.sessions, seeds)
            row = {"dialogue": one.name, "memory": memory, "silhouette": found.silhouette, "purity": found.purity}
            for name in ("trustworthiness", "picture_silhouette"):
                mean, low, high = spread(getattr(found, name))
                row |= {name: mean, f"{name}_low": low, f"{name}_high": high}
            rows.append(row)
    return pd.DataFrame(rows)
