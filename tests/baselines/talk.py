"""Invented dialogue for the tests of the baselines."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from amem.contract import Question, Session, Turn

START = datetime(2024, 3, 5, 18, 30)
SPEAKERS = ("Ines", "Bruno")


def session(number: int, texts: Sequence[str], *, days: float = 0, part: int = 0, first: int = 1) -> Session:
    """Texts said in turn by Ines and Bruno, `days` after the start; `first` is the number of the first turn."""
    when = START + timedelta(days=days)
    turns = tuple(Turn(f"D{number}:{n}", SPEAKERS[(n - 1) % 2], text) for n, text in enumerate(texts, start=first))
    return Session(f"session_{number}", number, when, when.strftime("%d %B, %Y"), turns, part=part)


def words(count: int, word: str = "clay") -> str:
    return " ".join([word] * count)


def ask(text: str = "What did Ines buy?", category: str = "single_hop") -> Question:
    return Question("q1", text, category)
