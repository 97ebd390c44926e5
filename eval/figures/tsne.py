"""Figure 4: the notes of two dialogues in two dimensions, A-Mem's beside those of a memory that only stores turns.

The paper reads a claim off one picture. t-SNE is free to place clusters as it likes, so below each picture stands what
it can't show: figures of the vectors themselves, and of the pictures that other seeds would have given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from eval.figures.drawn import Drawn
from eval.figures.structure import Pictured, Structure, spread
from eval.figures.style import AMEM, BASE

LOOKS = {"A-Mem": {"color": AMEM, "marker": "o"}, "base": {"color": BASE, "marker": "s"}}
MEASURES = ("silhouette", "purity", "trustworthiness")


def tsne(pictured: Sequence[Pictured]) -> Drawn:
    """A column a dialogue: the picture of the first seed, A-Mem blue and base red, and the figures below it."""

    def paint(made: Any, axes: Any) -> None:
        for (above, below), one in zip(np.reshape(axes, (2, -1)).T, pictured, strict=True):
            _picture(above, one)
            _figures(below, one.structures)
        handles = [*np.reshape(axes, (2, -1))[0, 0].get_legend_handles_labels()[0], *_handles(len(pictured[0].seeds))]
        made.legend(handles=handles, loc="outside lower center", ncols=2)

    names = ", ".join(f"{one.dialogue.name} ({len(one.dialogue.amem)} notes)" for one in pictured)
    dialogues = "two dialogues" if len(pictured) > 1 else "a dialogue"
    return Drawn(
        "tsne",
        f"Figure 4: notes of {dialogues} by t-SNE",
        f"Two clouds of points, A-Mem's notes and its base's, for each of {names}. Below: silhouette, purity and "
        "trustworthiness of both, of the vectors and of the pictures of several seeds, as in the table that follows.",
        paint,
        columns=len(pictured),
        rows=2,
        height=2.5,
    )


def _picture(axes: Any, one: Pictured) -> None:
    for name in reversed(LOOKS):
        axes.scatter(*one.places[0][name].T, s=13, alpha=0.7, linewidth=0, label=name, **LOOKS[name])
    axes.set_title(f"{one.dialogue.name}: seed {one.seeds[0]} alone", loc="left", fontsize="medium")
    axes.set(xticks=[], yticks=[])


def _figures(axes: Any, structures: dict[str, Structure]) -> None:
    for place, measure in enumerate(MEASURES):
        for name, shift in (("A-Mem", -0.16), ("base", 0.16)):
            found, look = structures[name], LOOKS[name]
            mean, low, high = spread(found.in_picture[measure])
            axes.plot([low, high], [place + shift] * 2, color=look["color"], marker="")
            axes.plot(mean, place + shift, **look)
            if measure != "trustworthiness":
                axes.plot(getattr(found, measure), place + shift, **look, markerfacecolor="white", linestyle="")
        axes.text(-0.5, place - 0.32, measure)
    axes.set(xlim=(-0.55, 1.05), ylim=(len(MEASURES) - 0.6, -0.6), yticks=[])
    axes.axvline(0, color="#777777", linewidth=0.8)


def _handles(seeds: int) -> list[Any]:
    from matplotlib.lines import Line2D

    grey: dict[str, Any] = {"color": "#555555", "marker": "o"}
    return [
        Line2D([], [], **grey, label=f"of the picture: mean of {seeds} seeds, 95%"),
        Line2D([], [], **grey, markerfacecolor="white", linestyle="", label="of the vectors: no seed"),
    ]
