"""What a conversation costs, built and asked, against the number of questions: where building once begins to pay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from eval.figures.drawn import Drawn
from eval.figures.style import COLOURS
from eval.scoring.costs import MethodCost, Place
from eval.tables.meta import RunMeta

MOST = 400
"""Questions; twice what LoCoMo asks of a conversation."""


def cost_figure(costs: Mapping[Place, MethodCost], meta: RunMeta) -> Drawn:
    """A panel a backbone; USD where any call had a price, else tokens."""
    backbones = list(dict.fromkeys(backbone for backbone, _ in costs))
    columns = min(2, len(backbones))
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
        key="costs",
        title=f"{_NAMES[quantity]} of a conversation against the questions asked of it",
        alt=f"Lines by method: what building takes, and how it grows with each answer. {'; '.join(lines)}.",
        paint=paint,
        columns=columns,
        rows=-(-len(backbones) // columns),
        height=3.0,
    )


_NAMES = {"usd": "USD", "tokens": "Tokens"}


def _paint(axes: Any, costs: Mapping[str, MethodCost], quantity: str, meta: RunMeta) -> None:
    for place, (method, cost) in enumerate(costs.items()):
        ends = [cost.conversation(quantity, questions) for questions in (0, MOST)]
        style = ("-", "--", ":")[place // len(COLOURS) % 3]
        axes.plot((0, MOST), ends, marker="", linestyle=style, label=meta.method(method).label)
    if quantity == "tokens":
        axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.set(xlabel="questions", ylabel=_NAMES[quantity], xlim=(0, MOST), ylim=(0, None))
    axes.legend()
