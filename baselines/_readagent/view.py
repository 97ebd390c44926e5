"""The gist memory as text: each page as its gist, opened pages in full and in their place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from amem.contract import Source
from amem.prompting.pack import PromptPack
from baselines._readagent.pages import Page
from baselines._transcript import said
from baselines._window import keep_most


@dataclass(frozen=True)
class View:
    """Pages are numbered from 1."""

    blocks: dict[int, str]
    """Text of each page shown, by number, in the order of the conversation."""
    opened: tuple[int, ...]
    """Numbers of the pages in full, in the order in which they were asked for."""

    @property
    def text(self) -> str:
        return "\n\n".join(self.blocks.values())

    def sources(self, pages: Sequence[Page]) -> tuple[Source, ...]:
        """Turns of opened pages verbatim, in the order of opening, then turns of the gists shown as derived."""
        gists = [n for n in self.blocks if n not in self.opened and pages[n - 1].gist is not None]
        verbatim = [Source(turn.id) for n in self.opened for turn in pages[n - 1].session.turns]
        return (*verbatim, *(Source(turn.id, derived=True) for n in gists for turn in pages[n - 1].session.turns))


class PageWriter:
    """Writes pages by the prompt pack: numbered for the look-up, without numbers for the reader (as the notebook)."""

    def __init__(self, prompts: PromptPack, pages: Sequence[Page], *, numbered: bool) -> None:
        self._prompts = prompts
        self._pages = pages
        self._numbered = numbered
        self._written: dict[tuple[int, bool], str] = {}

    def fitted(self, opened: Sequence[int], fits: Callable[[str], bool]) -> View:
        """All pages, those in `opened` in full, or what of it fits.

        Where it does not fit, the oldest gists are left out first; where the opened pages alone do not fit, the one
        asked for last goes back to its gist.
        """
        for count in range(len(opened), 0, -1):
            view = self._newest_that_fit(opened[:count], fits)
            if view is not None:
                return view
        return self._newest_that_fit((), fits) or View({}, ())

    def _newest_that_fit(self, opened: Sequence[int], fits: Callable[[str], bool]) -> View | None:
        kept = keep_most(len(self._pages), lambda newest: fits(self._view(opened, newest).text))
        return None if kept is None else self._view(opened, kept)

    def _view(self, opened: Sequence[int], newest: int) -> View:
        total = len(self._pages)
        shown = [n for n in range(1, total + 1) if n > total - newest or n in opened]
        return View({n: self._block(n, in_full=n in opened) for n in shown}, tuple(opened))

    def _block(self, number: int, *, in_full: bool) -> str:
        key = number, in_full
        if key not in self._written:
            page = self._pages[number - 1]
            body = said(self._prompts, page.session.turns) if in_full else self._gist(page)
            shown_number = number if self._numbered else None
            self._written[key] = self._prompts.render(
                "readagent_page", session=page.session, body=body, number=shown_number
            )
        return self._written[key]

    def _gist(self, page: Page) -> str:
        return self._prompts.render("readagent_gist_missing") if page.gist is None else page.gist
