"""A figure before it has a format."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.figures.style import COLUMN_INCHES, figure
from eval.figures.style import save as save_figure


@dataclass(frozen=True, slots=True)
class Drawn:
    key: str
    title: str
    alt: str
    """What the figure shows, in words with its numbers, for those who can't see it."""
    paint: Callable[[Any, Any], None]
    """Paints on a fresh figure and its axes (an array of them where there are several)."""
    columns: int = 1
    rows: int = 1
    height: float = 2.8
    width: float = COLUMN_INCHES

    def svg(self) -> bytes:
        import matplotlib

        content = io.BytesIO()
        with matplotlib.rc_context({"svg.hashsalt": self.key}), self._figure() as (made, axes):
            self.paint(made, axes)
            made.savefig(content, format="svg", metadata={"Date": None})
        return content.getvalue()

    def save(self, folder: Path) -> list[Path]:
        """Write `<key>.pdf` and `<key>.png`; the same data gives the same bytes."""
        with self._figure() as (made, axes):
            self.paint(made, axes)
            return save_figure(made, folder / self.key)

    def _figure(self) -> Any:
        return figure(self.columns, self.rows, height=self.height, width=self.width)
