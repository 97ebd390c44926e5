"""Search results, a page at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Items of one page; none where `number` lies behind the last page."""

    items: tuple[T, ...]
    number: int
    """From 1."""
    pages: int
    total: int


def page_of(items: Sequence[T], number: int, size: int, *, total: int | None = None) -> Page[T]:
    """Page `number` of `items`, `size` a page; `total` where `items` stops at the page that is wanted."""
    total = len(items) if total is None else total
    start = (number - 1) * size
    return Page(tuple(items[start : start + size]), number, -(-total // size), total)
