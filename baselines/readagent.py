"""ReadAgent: pages, their gists, and a look-up of the pages that a question needs.

Lee et al., "A Human-Inspired Reading Agent with Gist Memory of Very Long Contexts" (ICML 2024), sections 3.1-3.3, and
the notebook at read-agent.github.io. On dialogue a turn is a paragraph, a page never crosses a session, and page and
gist carry the session's date, without which no question about time could be answered.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, get_args

from amem import tokens
from amem.contract import MemoryMethod, Question, Recall, Session, Snapshot, Tools
from amem.errors import ConfigurationError
from baselines._calls import Caller
from baselines._readagent.lookup import LookUp
from baselines._readagent.pages import Page, PageLimits
from baselines._readagent.view import PageWriter, View
from baselines._readagent.writing import PageMaker
from baselines._window import room

LookupMode = Literal["parallel", "sequential", "none"]


@dataclass(frozen=True)
class ReadAgentSettings:
    """Parameters of ReadAgent; configs/method/readagent.yaml cites the source of each value."""

    max_words: int = 600
    """Words of a page at most (`PageLimits`)."""
    min_words: int = 280
    """Words of a page before the first label where it may be broken."""
    whole_words: int = 350
    """A rest of a session that is no longer is one page, without asking."""
    lookup: LookupMode = "parallel"
    """`parallel` is ReadAgent-P, `sequential` ReadAgent-S, `none` the paper's GistMem (gists only)."""
    max_pages: int = 5
    """Pages opened for a question by the parallel look-up, at most."""
    max_steps: int = 6
    """Calls for a question by the sequential look-up, at most; each opens one page."""
    temperature: float | None = 0.0
    """Of ReadAgent's own calls; None is the backbone's. The answer is the shared reader's."""
    answer_reserve_tokens: int = 1500
    """Tokens of the window kept for the wording around the pages and for the reply; the question is counted apart."""

    def __post_init__(self) -> None:
        if self.lookup not in get_args(LookupMode):
            raise ConfigurationError(f"lookup = {self.lookup!r}: choose one of {', '.join(get_args(LookupMode))}")
        if not 0 < self.min_words <= self.max_words:
            raise ConfigurationError(f"min_words = {self.min_words} must lie in 1..max_words = {self.max_words}")

    @property
    def limits(self) -> PageLimits:
        return PageLimits(self.max_words, self.min_words, self.whole_words)


class ReadAgent(MemoryMethod):
    """Pages and gists are made once, at ingest and without a question; each question opens some pages.

    Where a reply can't be used it is counted and: without a valid break label the last one is taken; in place of a
    gist stands a marker, and the page can still be opened; without valid page numbers the reader gets gists only.
    """

    Settings: ClassVar[type] = ReadAgentSettings

    def __init__(self, settings: ReadAgentSettings, tools: Tools) -> None:
        super().__init__(settings, tools)
        self.pages: tuple[Page, ...] = ()
        self._caller = Caller(tools, settings.temperature)
        self._maker = PageMaker(self._caller, tools.prompts, settings.limits)

    def ingest(self, session: Session) -> None:
        counts: Counter[str] = Counter()
        kept = self.pages
        # The part before ended where a question fell, not where an episode did: its last page is paged again.
        if kept and kept[-1].session.id == session.id:
            session = replace(session, turns=kept[-1].session.turns + session.turns)
            kept = kept[:-1]
        self.pages = (*kept, *self._maker.pages(session, counts))
        self.counters.update(+counts)

    def recall(self, question: Question) -> Recall:
        budget = room(self.tools.lm, question.text, self.settings.answer_reserve_tokens)
        look = LookUp(
            question.text,
            len(self.pages),
            PageWriter(self.tools.prompts, self.pages, numbered=True),
            lambda text: self.tools.lm.count_tokens(text) <= budget,
            self._caller,
            Counter(),
        )
        self._run(look)
        view = PageWriter(self.tools.prompts, self.pages, numbered=False).fitted(look.opened, look.fits)
        return Recall(view.text, view.sources(self.pages), tokens.count(view.text), self._trace(look, view))

    def snapshot(self) -> Snapshot:
        return Snapshot({"pages": [page.to_json() for page in self.pages], "counters": dict(self.counters)})

    def restore(self, snapshot: Snapshot) -> None:
        self.pages = tuple(Page.from_json(page) for page in snapshot.state["pages"])
        self.counters.clear()
        self.counters.update(snapshot.state["counters"])

    def _run(self, look: LookUp) -> None:
        if self.pages and self.settings.lookup == "parallel":
            look.parallel(self.settings.max_pages)
        if self.pages and self.settings.lookup == "sequential":
            look.sequential(self.settings.max_steps)

    def _trace(self, look: LookUp, view: View) -> dict[str, Any]:
        look.counts["pages_closed_for_room"] = len(look.opened) - len(view.opened)
        look.counts["pages_left_out_for_room"] = len(self.pages) - len(view.blocks)
        sizes = {number: tokens.count(block) for number, block in view.blocks.items()}
        in_full = sum(sizes[number] for number in view.opened)
        return {
            "lookup": self.settings.lookup,
            "replies": look.replies,
            "opened": list(view.opened),
            "pages": len(self.pages),
            "tokens": {"pages_in_full": in_full, "gists": sum(sizes.values()) - in_full},
            "counts": dict(+look.counts),
        }
