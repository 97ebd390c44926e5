"""From a session to its pages and their gists: the calls that build ReadAgent's memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from amem.contract import Session, Turn
from amem.prompting.pack import PromptPack
from baselines._calls import Caller
from baselines._readagent.pages import Page, PageLimits, chosen_end, possible_ends, words_of
from baselines._transcript import said


class PageMaker:
    """Asks the model where pages end and what their gists are."""

    def __init__(self, caller: Caller, prompts: PromptPack, limits: PageLimits) -> None:
        self._caller = caller
        self._prompts = prompts
        self._limits = limits

    def pages(self, session: Session, counts: Counter[str]) -> list[Page]:
        """The pages of a session (section 3.1) with their gists (3.2)."""
        pages: list[Page] = []
        rest = session.turns
        while rest:
            end = self._end(pages, rest, counts)
            pages.append(Page(replace(session, turns=rest[:end]), None))
            rest = rest[end:]
        return self._with_gists(pages, counts)

    def _end(self, before: Sequence[Page], rest: Sequence[Turn], counts: Counter[str]) -> int:
        words = [words_of(turn) for turn in rest]
        ends = possible_ends(words, self._limits)
        counts["pages_over_limit"] += words[0] > self._limits.max_words
        if len(ends) == 1:
            return ends[0]
        completion = self._caller.one(
            counts,
            "readagent_paginate",
            previous=said(self._prompts, before[-1].session.turns) if before else None,
            passages=[said(self._prompts, rest[a:b]) for a, b in zip([0, *ends], ends, strict=False)],
        )
        end = chosen_end(completion.text, ends) if completion else None
        counts["break_label_invalid"] += completion is not None and end is None
        return end or ends[-1]

    def _with_gists(self, pages: Sequence[Page], counts: Counter[str]) -> list[Page]:
        requests = [
            self._caller.request("readagent_gist", session=page.session, page=said(self._prompts, page.session.turns))
            for page in pages
        ]
        gists = self._caller.all(requests, counts)
        return [
            replace(page, gist=gist.text.strip() if gist else None) for page, gist in zip(pages, gists, strict=True)
        ]
