"""Interactive look-up (section 3.3): which pages a question needs in full."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from baselines._calls import Caller
from baselines._readagent.pages import LONGEST_NUMBER
from baselines._readagent.view import PageWriter

_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_NUMBER = re.compile(r"(?:(?<!\d)-)?\d+")


def bracketed_numbers(reply: str) -> list[int] | None:
    """The integers inside the first brackets (a JSON list is one).

    None where there are no brackets, or something else than integers in them; empty brackets hold no integers.
    """
    found = _BRACKETS.search(reply)
    if not found:
        return None
    numbers = [int(digits[:LONGEST_NUMBER]) for digits in _NUMBER.findall(found.group(1))]
    return numbers if numbers or not found.group(1).strip() else None


def pages_asked_for(reply: str, total: int, cap: int, counts: Counter[str]) -> list[int]:
    """Page numbers in 1..total, each once, in the reply's order, at most `cap`.

    What else the reply holds is left out and counted: `lookup_unusable`, `lookup_out_of_range`, `lookup_repeated`,
    `lookup_over_cap`.
    """
    numbers = bracketed_numbers(reply)
    if numbers is None:
        counts["lookup_unusable"] += 1
        return []
    valid = [number for number in numbers if 1 <= number <= total]
    once = list(dict.fromkeys(valid))
    counts["lookup_out_of_range"] += len(numbers) - len(valid)
    counts["lookup_repeated"] += len(valid) - len(once)
    counts["lookup_over_cap"] += max(0, len(once) - cap)
    return once[:cap]


def asks_to_stop(reply: str) -> bool:
    """Whether a reply of the sequential look-up ends it: empty brackets, or the word STOP instead of a page."""
    numbers = bracketed_numbers(reply)
    return numbers == [] or (numbers is None and re.search(r"\bstop\b", reply, re.IGNORECASE) is not None)


@dataclass
class LookUp:
    """One question's look-up over `total` pages; `opened` and `replies` fill as it goes on."""

    question: str
    total: int
    writer: PageWriter
    fits: Callable[[str], bool]
    caller: Caller
    counts: Counter[str]
    opened: list[int] = field(default_factory=list)
    replies: list[str] = field(default_factory=list)

    def parallel(self, max_pages: int) -> None:
        """ReadAgent-P: one call that sees all gists names up to `max_pages` pages."""
        reply = self._ask("readagent_lookup", max_pages=max_pages)
        if reply is not None:
            self.opened += pages_asked_for(reply, self.total, max_pages, self.counts)

    def sequential(self, max_steps: int) -> None:
        """ReadAgent-S: call by call one more page, or stop; what was opened is shown in full."""
        for _ in range(min(max_steps, self.total)):
            reply = self._ask("readagent_lookup_next", opened=list(self.opened))
            if reply is None or asks_to_stop(reply):
                return
            asked = pages_asked_for(reply, self.total, 1, self.counts)
            if not asked or asked[0] in self.opened:
                self.counts["lookup_repeated"] += bool(asked)
                return
            self.opened += asked

    def _ask(self, call: str, **variables: object) -> str | None:
        pages = self.writer.fitted(self.opened, self.fits).blocks
        if not pages:
            self.counts["lookup_without_room"] += 1
            return None
        completion = self.caller.one(self.counts, call, pages=pages, question=self.question, **variables)
        if completion is None:
            return None
        self.replies.append(completion.text)
        return completion.text
