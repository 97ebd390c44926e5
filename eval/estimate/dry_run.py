"""One method over some conversations with a model that sends nothing, and the sums scaled to all of them.

What taking in costs is scaled by turns, what answering costs by questions, each category apart. A method that calls no
model to take sessions in is run over every conversation, since its prompts may hold a conversation whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from amem.contract import MemoryMethod, Tools
from amem.lm.ledger import Call, collecting
from amem.lm.types import ModelFailure
from eval.datasets.types import Conversation, QAItem
from eval.estimate.model import RoundsModel
from eval.runner.reader import Reader

Build = Callable[[Tools], MemoryMethod]


@dataclass(slots=True)
class Sums:
    """Of one purpose; fractions come of the scaling."""

    calls: float = 0.0
    prompt_tokens: float = 0.0
    completion_tokens: float = 0.0

    def add(self, other: Sums, factor: float = 1.0) -> None:
        self.calls += factor * other.calls
        self.prompt_tokens += factor * other.prompt_tokens
        self.completion_tokens += factor * other.completion_tokens


@dataclass(slots=True)
class Usage:
    """What a method asks for over the whole data."""

    by_purpose: dict[str, Sums] = field(default_factory=dict)
    chain: dict[str, float] = field(default_factory=dict)
    """Calls by purpose that wait for each other while the longest conversation is taken in."""
    turns_run: int = 0
    questions_run: int = 0
    unanswered: float = 0.0
    """Questions that failed in the dry run, such as prompts that do not fit the window."""

    def add(self, calls: Sequence[Call], factor: float) -> None:
        for call in calls:
            one = Sums(1, call.prompt_tokens, call.completion_tokens)
            self.by_purpose.setdefault(call.purpose, Sums()).add(one, factor)


def usage_of(
    build: Build,
    tools: Callable[[], Tools],
    reader: Reader,
    conversations: Sequence[Conversation],
    *,
    at_most: int,
    questions: int,
) -> Usage:
    """`at_most` conversations are run, and of each at most so many questions a category."""
    chosen = nearest_to_mean(conversations, at_most)
    runs = [_Run(conversation, build, tools(), reader, questions) for conversation in chosen]
    if not any(run.building for run in runs):
        others = [conversation for conversation in conversations if conversation not in chosen]
        runs += [_Run(conversation, build, tools(), reader, questions) for conversation in others]
    return _scaled(runs, conversations)


def nearest_to_mean(conversations: Sequence[Conversation], count: int) -> list[Conversation]:
    """The conversations whose length in turns is nearest to the mean."""
    mean = sum(map(_turns, conversations)) / len(conversations)
    return sorted(conversations, key=lambda conversation: abs(_turns(conversation) - mean))[:count]


class _Run:
    """One conversation: the calls of taking it in, and of each question asked."""

    def __init__(self, conversation: Conversation, build: Build, tools: Tools, reader: Reader, questions: int) -> None:
        self.turns = _turns(conversation)
        self.answering: list[tuple[str, list[Call]]] = []
        self.failed: list[str] = []
        method = build(tools)
        items = _first_of_each_category(conversation.items, questions)
        with collecting() as self.building:
            try:
                for session in conversation.sessions:
                    method.ingest(session)
            except ModelFailure:
                self.failed = [str(item.category) for item in items]
        assert isinstance(tools.lm, RoundsModel)
        self.rounds = tools.lm.rounds.copy()
        self.asked = [str(item.category) for item in items]
        if not self.failed:
            for item in items:
                self._ask(method, reader, item)

    def _ask(self, method: MemoryMethod, reader: Reader, item: QAItem) -> None:
        with collecting() as calls:
            try:
                reader.read(method, item)
            except ModelFailure:
                self.failed.append(str(item.category))
        self.answering.append((str(item.category), calls))


def _scaled(runs: Sequence[_Run], conversations: Sequence[Conversation]) -> Usage:
    usage = Usage(turns_run=sum(run.turns for run in runs), questions_run=sum(len(run.asked) for run in runs))
    for run in runs:
        usage.add(run.building, sum(map(_turns, conversations)) / usage.turns_run)
    for category, factor in _factors(runs, conversations).items():
        for run in runs:
            usage.unanswered += factor * run.failed.count(category)
            for of_category, calls in run.answering:
                if of_category == category:
                    usage.add(calls, factor)
    longest = max(map(_turns, conversations))
    rounds = sum((run.rounds for run in runs), Counter())
    usage.chain = {purpose: count * longest / usage.turns_run for purpose, count in rounds.items()}
    return usage


def _factors(runs: Sequence[_Run], conversations: Sequence[Conversation]) -> dict[str, float]:
    """Questions in the data per question run, by category; one that was not run is shared out among the others."""
    wanted = Counter(str(item.category) for conversation in conversations for item in conversation.items)
    asked = Counter(category for run in runs for category in run.asked)
    covered = sum(wanted[category] for category in asked)
    return {category: wanted[category] / count * wanted.total() / covered for category, count in asked.items()}


def _first_of_each_category(items: Sequence[QAItem], count: int) -> list[QAItem]:
    seen: dict[str, int] = {}
    chosen = []
    for item in items:
        seen[item.category] = seen.get(item.category, 0) + 1
        if seen[item.category] <= count:
            chosen.append(item)
    return chosen


def _turns(conversation: Conversation) -> int:
    return sum(1 for _ in conversation.turns())
