"""Runs of neighbouring columns under one group heading."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from eval.tables.table import Column


def spans(columns: Sequence[Column]) -> list[tuple[str, int]]:
    """(group, number of columns) from left to right; columns without a group stand alone under an empty one."""
    found: list[tuple[str, int]] = []
    for group, run in groupby(columns, key=lambda column: column.group):
        width = len(list(run))
        found += [(group, width)] if group else [("", 1)] * width
    return found
