"""Effect of the seed: how far the figure of one run lies from that of another that differs by its seed alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def between_repeats(frame: pd.DataFrame, values: pd.Series) -> float | None:
    """Standard deviation (n-1) of the repeats' means; None for a single repeat."""
    if frame["repeat"].nunique() < 2:
        return None
    return float(values.loc[frame.index].groupby(frame["repeat"]).mean().std(ddof=1))
