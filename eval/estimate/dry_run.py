"""One method over some conversations with a model that sends nothing, and the sums scaled to all of them.

What taking in costs is scaled by turns, what answering costs by questions, each category apart. A method that calls no
model to take sessions in is run over every conversation, since its prompts may hold a conversation whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from amem.contract import MemoryMethod, Session, Tools
from amem.lm.ledger import Call, collecting
from amem.lm.types import ModelFailure
from eval.datasets.types import QAItem
from eval.dialsim.unit import PassUnit
from eval.estimate.model import RoundsModel
from eval.runner.reader import Reader
from eval.runner.unit import Unit

MOST_CALLS = 10_000
"""A dry call takes some milliseconds; a show of DialSim has 18,664 turns, a memory of it may take 20 calls a turn."""


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
    units: Sequence[Unit], tools: Callable[[], Tools], *, at_most: int, questions: int, builds: bool = True
) -> Usage:
    """`at_most` conversations are run, and of each at most so many questions a category.

    `builds`: False for a row of a k-sweep that asks another row's memory, which is built and paid for once.
    """
    chosen = nearest_to_mean(units, at_most)
    runs = [_Run(unit, tools(), questions) for unit in chosen]
    if not any(run.building for run in runs):
        runs += [_Run(unit, tools(), questions) for unit in units if unit not in chosen]
    return _scaled(runs, units, builds)


def nearest_to_mean(units: Sequence[Unit], count: int) -> list[Unit]:
    """Those whose conversation's length in turns is nearest to the mean."""
    mean = sum(map(_turns, units)) / len(units)
    return sorted(units, key=lambda unit: abs(_turns(unit) - mean))[:count]


class _Run:
    """One conversation: the calls of taking it in, and of each question asked.

    After `MOST_CALLS` calls no more is taken in, and the questions left are put to the memory as it is then.
    """

    def __init__(self, unit: Unit, tools: Tools, questions: int) -> None:
        self.turns = 0
        self.building: list[Call] = []
        self.answering: list[tuple[str, list[Call]]] = []
        self.asked: list[str] = []
        self.failed: list[str] = []
        method, broken = unit.build(tools), False
        for step in steps_of(unit, questions):
            if isinstance(step, Session):
                broken = broken or not self._take_in(method, step)
            else:
                self._ask(method, unit.reader, step, broken)
        # Where the first session was too much already, what was called stands for the whole.
        self.turns = self.turns if self.turns and not broken else _turns(unit)
        assert isinstance(tools.lm, RoundsModel)
        self.rounds = Counter({purpose: tools.lm.rounds[purpose] for purpose in {c.purpose for c in self.building}})

    def _take_in(self, method: MemoryMethod, session: Session) -> bool:
        if len(self.building) >= MOST_CALLS:
            return True
        with collecting() as calls:
            try:
                method.ingest(session)
            except ModelFailure:
                return False
            finally:
                self.building += calls
        self.turns += len(session.turns)
        return True

    def _ask(self, method: MemoryMethod, reader: Reader, item: QAItem, broken: bool) -> None:
        category = str(item.category)
        self.asked.append(category)
        with collecting() as calls:
            try:
                if not broken:
                    reader.read(method, item)
            except ModelFailure:
                broken = True
        if broken:
            self.failed.append(category)
        self.answering.append((category, calls))


def steps_of(unit: Unit, questions: int) -> list[Session | QAItem]:
    """Sessions and questions in the order of the run; of each category at most so many questions: the first ones where
    all are asked at the end, and where memories grow between them, some from beginning to end."""
    if not isinstance(unit, PassUnit):
        return [*unit.conversation.sessions, *_chosen(unit.conversation.items, lambda of: of[:questions])]
    asks = {id(ask) for ask in _chosen(unit.conversation.items, lambda of: of[:: -(-len(of) // questions)])}
    return [step for step in unit.plan.steps if isinstance(step, Session) or id(step) in asks]  # type: ignore[misc]


def _scaled(runs: Sequence[_Run], units: Sequence[Unit], builds: bool) -> Usage:
    usage = Usage(turns_run=sum(run.turns for run in runs), questions_run=sum(len(run.asked) for run in runs))
    for run in runs if builds else ():
        usage.add(run.building, sum(map(_turns, units)) / usage.turns_run)
    for category, factor in _factors(runs, units).items():
        for run in runs:
            usage.unanswered += factor * run.failed.count(category)
            for of_category, calls in run.answering:
                if of_category == category:
                    usage.add(calls, factor)
    longest = max(map(_turns, units))
    rounds = sum((run.rounds for run in runs if builds), Counter())
    usage.chain = {purpose: count * longest / usage.turns_run for purpose, count in rounds.items()}
    return usage


def _factors(runs: Sequence[_Run], units: Sequence[Unit]) -> dict[str, float]:
    """Questions in the data per question run, by category; one that was not run is shared out among the others."""
    wanted = Counter(str(item.category) for unit in units for item in unit.conversation.items)
    asked = Counter(category for run in runs for category in run.asked)
    covered = sum(wanted[category] for category in asked)
    return {category: wanted[category] / count * wanted.total() / covered for category, count in asked.items()}


def _chosen(items: Sequence[QAItem], choose: Callable[[list[QAItem]], list[QAItem]]) -> list[QAItem]:
    of_category: dict[str, list[QAItem]] = {}
    for item in items:
        of_category.setdefault(item.category, []).append(item)
    kept = {id(item) for of in of_category.values() for item in choose(of)}
    return [item for item in items if id(item) in kept]


def _turns(unit: Unit) -> int:
    return sum(1 for _ in unit.conversation.turns())
