"""Recursive summaries: the old summary and what was evicted become the new summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from amem.contract import Tools
from amem.lm.tolerance import usable
from amem.lm.types import Request
from baselines._memgpt.entries import Entry
from baselines._memgpt.queue import Summary
from baselines._memgpt.window import Window

CALL = "memgpt_summary"


class Summariser:
    """Calls the model once for all that was evicted, or more often where it does not fit into one prompt."""

    def __init__(self, tools: Tools, window: Window, words: int, counters: Counter[str]) -> None:
        self._tools = tools
        self._window = window
        self._words = words
        self._counters = counters

    def summarise(self, old: Summary, evicted: Sequence[Entry]) -> Summary:
        """The new summary. Where the model gives none, the old text stays and the count of hidden entries grows."""
        text, turn_ids = old.text, dict.fromkeys(old.turn_ids)
        for portion in self._portions(evicted):
            written = self._written(self._request(text, portion))
            if written is not None:
                text = written
                turn_ids |= dict.fromkeys(entry.turn_id for entry in portion if entry.turn_id)
        return Summary(text, old.hidden + len(evicted), tuple(turn_ids))

    def _request(self, summary: str, entries: Sequence[Entry]) -> Request:
        return self._tools.prompts.request(CALL, summary=summary, entries=entries, words=self._words)

    def _written(self, request: Request) -> str | None:
        completion = usable(self._tools.lm.complete_many([request])[0], self._counters)
        if completion is None:
            return None
        self._counters.update(f"mended:{CALL}:{repair}" for repair in completion.repairs)
        words = completion.text.split()
        if len(words) > self._words:
            self._counters["summary_cut"] += 1
        return " ".join(words[: self._words])

    def _portions(self, entries: Sequence[Entry]) -> Iterator[list[Entry]]:
        """The entries in runs that fit into a prompt beside the longest summary there can be."""
        bare = self._request("", ())
        room = -self._window.excess(bare) - self._window.reply_tokens(bare)
        portion: list[Entry] = []
        for entry in entries:
            if portion and self._window.tokens_of([*portion, entry]) > room:
                yield portion
                portion = []
            portion.append(self._cut(entry, room))
        if portion:
            yield portion

    def _cut(self, entry: Entry, room: int) -> Entry:
        """An entry that alone fills more than the room, without its end; recall storage keeps it whole."""
        excess = self._window.tokens_of([entry]) - room
        if excess <= 0:
            return entry
        self._counters["summary_input_cut"] += 1
        text = self._window.cut(entry.text, entry.tokens - excess)
        return replace(entry, text=text, tokens=self._window.entry_tokens(text))
