"""MemoryBank's vector store: exchanges and session summaries, and which of them are forgotten."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import date
from typing import Any

import numpy as np

from amem.contract import Session, Tools
from amem.index import CosineIndex
from baselines._memorybank.forgetting import is_forgotten
from baselines._memorybank.pieces import Exchange, Place, exchanges_of
from baselines._memorybank.retrieval import Selection, select
from baselines._memorybank.settings import MemoryBankSettings
from baselines._transcript import said


class Store:
    """Changed by `take_in` only: searching for a question raises no strength."""

    def __init__(self, settings: MemoryBankSettings, tools: Tools) -> None:
        self._settings = settings
        self._tools = tools
        self.index = CosineIndex(tools.embedder.dimension)
        self._today = date.min
        self.exchanges: dict[Place, Exchange] = {}

    def take_in(self, session: Session, summary: str | None, counts: Counter[str]) -> None:
        """Add what is new of a session; the parts of a session come one by one, each time as the session so far."""
        self._today = session.when.date()
        new = [e for e in exchanges_of(session) if not self._holds(e)]
        if self._settings.strengthen_on_ingest:
            self._strengthen(new, counts)
        for exchange in new:
            self.exchanges[exchange.place] = exchange
            text = self._render("memorybank_exchange", session=session, dialogue=self.dialogue(exchange))
            self._put(exchange.place, text)
        if summary is not None:
            text = self._render("memorybank_summary", session=session, summary=summary)
            self._put(Place(session.number, -1), text)

    def forgotten(self) -> frozenset[Place]:
        """Exchanges that are forgotten on the day of the last session, and the summaries of sessions wholly so."""
        if self._settings.forgetting == "off":
            return frozenset()
        gone = {place for place, exchange in self.exchanges.items() if self._is_forgotten(exchange)}
        left = {place.session for place in self.exchanges if place not in gone}
        return frozenset(gone | {Place(place.session, -1) for place in gone if place.session not in left})

    def search(self, text: str, forgotten: Collection[Place]) -> tuple[Selection, dict[Place, float]]:
        """What is shown for `text`, and the cosine of each hit."""
        exclude = [place.id for place in forgotten if place.id in self.index]
        hits = self.index.search(self._embed(text), self._settings.top_k, exclude=exclude)
        scores = {Place.of(hit.id): hit.score for hit in hits}
        limit = self._settings.glue_characters
        return select(list(scores), self.exchanges, forgotten, self._length, limit), scores

    def dialogue(self, exchange: Exchange) -> str:
        """The turns of an exchange, a line each."""
        return said(self._tools.prompts, exchange.turns)

    @property
    def ids(self) -> list[str]:
        return list(self.index.ids)

    @property
    def vectors(self) -> np.ndarray:
        """Shape (len(ids), dimension)."""
        return self.index.vectors()

    def to_json(self) -> list[dict[str, Any]]:
        return [exchange.to_json() for exchange in self.exchanges.values()]

    def fill(self, exchanges: Sequence[dict[str, Any]], ids: Sequence[str], vectors: np.ndarray, today: date) -> None:
        """Become the store that `to_json`, `ids` and `vectors` describe."""
        found = [Exchange.from_json(data) for data in exchanges]
        self.exchanges = {exchange.place: exchange for exchange in found}
        self._today = today
        for piece, vector in zip(ids, vectors, strict=True):
            self.index.add(piece, vector)

    def _holds(self, exchange: Exchange) -> bool:
        held = self.exchanges.get(exchange.place)
        return held is not None and held.turns == exchange.turns

    def _strengthen(self, new: Sequence[Exchange], counts: Counter[str]) -> None:
        for exchange in new:
            _, scores = self.search(said(self._tools.prompts, exchange.turns[:1]), self.forgotten())
            for place in scores:
                if not place.is_summary:
                    self.exchanges[place] = self.exchanges[place].recalled(self._today)
                    counts["recalls_on_ingest"] += 1

    def _is_forgotten(self, exchange: Exchange) -> bool:
        settings, seed = self._settings, self._tools.seed
        return is_forgotten(exchange, self._today, settings.forgetting, tau_days=settings.tau_days, seed=seed)

    def _put(self, place: Place, text: str) -> None:
        change = self.index.replace if place.id in self.index else self.index.add
        change(place.id, self._embed(text))

    def _length(self, exchange: Exchange) -> int:
        return len(self.dialogue(exchange))

    def _embed(self, text: str) -> np.ndarray:
        return self._tools.embedder.encode([text])[0]

    def _render(self, part: str, **variables: Any) -> str:
        return self._tools.prompts.render(part, **variables)
