"""What a conversation costs, built and asked, against the number of questions: where building once begins to pay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from eval.figures.drawn import Drawn
from eval.figures.style import COLOURS, MARKERS
from eval.scoring.costs import MethodCost, Place
from eval.tables.meta import RunMeta

KEY = "costs"
"""The stem of its files."""
MOST = 400
"""Questions; twice what LoCoMo asks of a conversation."""
_POINTS = 31


def cost_figure(costs: Mapping[Place, MethodCost], meta: RunMeta) -> Drawn:
    """A panel a backbone; USD where any call had a price, else tokens."""
    backbones = list(dict.fromkeys(backbone for backbone, _ in costs))
    columns = 1 if len(backbones) == 1 else 2
    quantity = "usd" if any(cost.answer.usd or cost.operation.usd for cost in costs.values()) else "tokens"

    def paint(_: Any, axes: Any) -> None:
        panels = list(np.ravel(axes))
        for spare in panels[len(backbones) :]:
            spare.remove()
        for backbone, panel in zip(backbones, panels, strict=False):
            own = {method: cost for (of, method), cost in costs.items() if of == backbone}
            _paint(panel, own, quantity, meta)
            panel.set_title(meta.backbone(backbone).label)

    lines = [
        f"{meta.backbone(b).label}, {meta.method(m).label}: building {cost.conversation(quantity, 0):,.4g}, "
        f"an answer {getattr(cost.answer, quantity):,.4g}"
        for (b, m), cost in costs.items()
    ]
    return Drawn(
        key=KEY,
        title=f"{_NAMES[quantity]} of a conversation against the questions asked of it",
        alt=f"Lines by method: what building takes, and how it grows with each answer. {'; '.join(lines)}.",
        paint=paint,
        columns=columns,
        rows=-(-len(backbones) // columns),
        height=3.0,
    )


_NAMES = {"usd": "USD", "tokens": "Tokens"}


def _paint(axes: Any, costs: Mapping[str, MethodCost], quantity: str, meta: RunMeta) -> None:
    """Both axes are logarithmic, since methods differ a hundredfold; dearest first in the legend, as the lines end."""
    places = {method: place for place, method in enumerate(costs)}
    questions = np.geomspace(1, MOST, _POINTS)
    for method, cost in sorted(costs.items(), key=lambda pair: -pair[1].conversation(quantity, MOST)):
        look = _look(places[method])
        sums = [cost.conversation(quantity, float(n)) for n in questions]
        axes.plot(questions, sums, label=meta.method(method).label, markevery=_POINTS // 6, **look)
    # A local model without a price costs nothing, which a logarithm has no place for.
    priced = all(cost.conversation(quantity, 1) > 0 for cost in costs.values())
    axes.set(xlabel="questions asked", ylabel=f"{_NAMES[quantity]} in all", xscale="log", xlim=(1, MOST))
    axes.set(yscale="log") if priced else axes.set(ylim=(0, None))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))


def _look(place: int) -> dict[str, Any]:
    turn = place // len(COLOURS) % 3
    return {
        "color": COLOURS[place % len(COLOURS)],
        "marker": MARKERS[(place + turn) % len(MARKERS)],
        "linestyle": ("-", "--", ":")[turn],
    }
