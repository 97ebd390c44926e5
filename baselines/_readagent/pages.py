"""Pages, and where in a session they may end.

Episode pagination of Lee et al., "A Human-Inspired Reading Agent with Gist Memory of Very Long Contexts" (ICML 2024),
section 3.1, with a turn of dialogue as the paragraph.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from amem.contract import Session, Turn
from baselines._transcript import session_from_json, session_to_json

LONGEST_NUMBER = 9
"""Digits read of a number in a reply; Python refuses to read numbers of thousands of digits."""


@dataclass(frozen=True)
class Page:
    """Consecutive turns of one session, and what the model made of them."""

    session: Session
    """The session, holding this page's turns only."""
    gist: str | None
    """None where the model gave no usable gist."""

    def to_json(self) -> dict[str, Any]:
        return {"session": session_to_json(self.session), "gist": self.gist}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Page:
        return cls(session_from_json(data["session"]), data["gist"])


@dataclass(frozen=True)
class PageLimits:
    """Lengths in words, as `words_of` counts them."""

    max_words: int
    """A page grows no further; a single turn that is longer is a page of its own."""
    min_words: int
    """No label is set before a page has this many."""
    whole_words: int
    """A rest of a session that is no longer is one page, without asking."""


def words_of(turn: Turn) -> int:
    """Words of what was said and of the caption, without the wording around them: no prompt pack moves a page's end."""
    return len(turn.text.split()) + len((turn.caption or "").split())


def possible_ends(words: Sequence[int], limits: PageLimits) -> list[int]:
    """Where a page that begins at the first turn may end: numbers of turns, ascending, at least one.

    `words` are the lengths of the turns not yet paged. The last end is the furthest that `max_words` lets the page
    go; it stands even before `min_words`.
    """
    totals = list(accumulate(words))
    if totals[-1] <= limits.whole_words:
        return [len(words)]
    furthest = max(1, bisect_right(totals, limits.max_words))
    return [*(n for n in range(1, furthest) if totals[n - 1] >= limits.min_words), furthest]


def chosen_end(reply: str, ends: Sequence[int]) -> int | None:
    """The end that the reply's first number names among labels 1, 2, …; None if it names none."""
    number = re.search(r"\d+", reply)
    label = int(number.group()[:LONGEST_NUMBER]) if number else 0
    return ends[label - 1] if 1 <= label <= len(ends) else None
