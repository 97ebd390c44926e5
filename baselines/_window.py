"""Fitting text into a number of tokens, with few counts of long texts."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from amem import tokens
from amem.errors import ConfigurationError

if TYPE_CHECKING:
    from amem.lm.model import LanguageModel


def keep_most(total: int, fits: Callable[[int], bool]) -> int | None:
    """The largest n in 0..total with `fits(n)`, or None where not even `fits(0)`.

    `fits` must not turn true again once it is false; it is asked at most log2(total) + 2 times.
    """
    if fits(total):
        return total
    if total == 0 or not fits(0):
        return None
    low, high = 0, total
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def clip(text: str, limit: int) -> str:
    """`text` cut after the last whole word within `limit` tokens of the shared tokenizer."""
    if tokens.count(text) <= limit:
        return text
    ends = [0, *(match.end() for match in re.finditer(r"\S+", text))]
    return text[: ends[keep_most(len(ends) - 1, lambda n: tokens.count(text[: ends[n]]) <= limit) or 0]]


def room(lm: LanguageModel, question: str, reserve: int) -> int:
    """Tokens of the backbone's own tokenizer that recalled text may take beside the question and `reserve`."""
    left = lm.window - reserve - lm.count_tokens(question)
    if left <= 0:
        raise ConfigurationError(
            f"answer_reserve_tokens = {reserve} leaves no room for recalled text in the backbone's window of "
            f"{lm.window} tokens: lower it, or give the backbone a larger window"
        )
    return left
