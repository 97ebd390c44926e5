"""From a show to a plan (simulator.py of jiho283/Simulator, without its faults: see `draw` and `names`).

Sessions come in stored order. A session with a question arrives in two parts: part 0 ends with the trigger, and the
rest follows as part 1 after the question, so that a memory never holds what is said later, and never twice.

Evidence is as fine as the oracle, which knows days: for every day that it names, all turns of that day's sessions that
were played by then. A fan question without a date is about its own episode: the episode's turns so far. Days that
the oracle marks as future, and sessions still to come, are no evidence; neither has a question that can't be answered
any.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from itertools import chain, groupby, islice
from random import Random

from amem.contract import Question, Session, Turn
from amem.errors import DataError
from eval.dialsim.dates import parse_date
from eval.dialsim.draw import Draw, Unasked, draw
from eval.dialsim.kinds import Kind
from eval.dialsim.names import NameMode, renamer
from eval.dialsim.objects import Show, StoredQuestion, StoredSession
from eval.dialsim.plan import Ask, EvidenceDay, Plan, Step
from eval.dialsim.script import Utterance, utterances


def replay(
    show: Show,
    *,
    seed: int,
    names: NameMode = NameMode.ORIGINAL,
    episodes: int | None = None,
    sessions: int | None = None,
    turns: int | None = None,
) -> Plan:
    """One pass over `show`, or over the first so many episodes and sessions in stored order.

    `turns`: as many first sessions as hold no more turns than that together, but at least one.

    The same questions are drawn in every name mode, and for a session however much of the show is played.
    """
    player = _Player(show, renamer(show.facts, names))
    steps: list[Step] = []
    header_numbers: dict[str, int] = {}
    unasked: Counter[Unasked] = Counter()
    last_date, header_number, played = "", 0, 0
    for number, session in enumerate(_beginning(show, episodes, sessions), start=1):
        if session.id in header_numbers:
            raise DataError(f"{show.source}: episode '{session.episode}' has session {session.number} twice")
        spoken = utterances(session, show.source)
        played += len(spoken)
        if turns is not None and played > turns and header_numbers:
            break
        header_number = header_number + 1 if session.date_text == last_date else 1
        header_numbers[session.id], last_date = header_number, session.date_text
        drawn = draw(session, spoken, show.facts.agent, Random(f"{seed}/{show.facts.name}/{session.id}"))
        if isinstance(drawn, Unasked):
            unasked[drawn] += 1
        steps += player.steps(session, number, spoken, drawn)
    return Plan(
        show=show.facts.name,
        version=show.version,
        agent=player.rename(show.facts.agent),
        seed=seed,
        names=names,
        steps=tuple(steps),
        session_count=len(header_numbers),
        header_numbers=header_numbers,
        unasked=dict(unasked),
    )


def _beginning(show: Show, episodes: int | None, sessions: int | None) -> Iterator[StoredSession]:
    by_episode = groupby(show.sessions(), key=lambda session: session.episode)
    played = chain.from_iterable(of_episode for _, of_episode in islice(by_episode, episodes))
    return islice(played, sessions)


class _Player:
    """Makes the steps of one session after the other, and knows what was said so far, by day and by episode."""

    def __init__(self, show: Show, rename: Callable[[str], str]) -> None:
        self.rename = rename
        self._show = show.facts.name
        self._by_day: defaultdict[date, list[str]] = defaultdict(list)
        self._by_episode: defaultdict[str, list[str]] = defaultdict(list)

    def steps(
        self, session: StoredSession, number: int, spoken: Sequence[Utterance], drawn: Draw | Unasked
    ) -> list[Step]:
        turns = tuple(
            Turn(f"{session.id}:{position}", self.rename(utterance.speaker), self.rename(utterance.text))
            for position, utterance in enumerate(spoken, start=1)
        )
        if isinstance(drawn, Unasked):
            return self._play(session, number, turns, part=0)
        seen, rest = turns[: drawn.trigger + 1], turns[drawn.trigger + 1 :]
        return [
            *self._play(session, number, seen, part=0),
            self._ask(session, drawn, trigger=seen[-1].id),
            *self._play(session, number, rest, part=1),
        ]

    def _play(self, session: StoredSession, number: int, turns: tuple[Turn, ...], part: int) -> list[Step]:
        ids = [turn.id for turn in turns]
        self._by_day[session.when.date()] += ids
        self._by_episode[session.episode] += ids
        return [Session(session.id, number, session.when, session.date_text, turns, part=part)] if turns else []

    def _ask(self, session: StoredSession, drawn: Draw, trigger: str) -> Ask:
        stored = drawn.question
        assert stored.correct is not None, "a question whose answer is no option is never drawn"
        asker, wording = self.rename(drawn.asker), self.rename(drawn.wording)
        return Ask(
            question=Question(
                id=f"{self._show}/{session.id}/{stored.kind}/{stored.key}",
                text=f"{asker}: {wording}",
                category=stored.kind.value,
                asked_at=session.when,
                asker=asker,
            ),
            wording=wording,
            date_text=session.date_text,
            session_id=session.id,
            trigger=trigger,
            kind=stored.kind,
            options=tuple(map(self.rename, stored.options)),
            correct=stored.correct,
            answer=self.rename(stored.answer),
            evidence_days=self._evidence(session, stored),
        )

    def _evidence(self, session: StoredSession, question: StoredQuestion) -> tuple[EvidenceDay, ...] | None:
        if not question.kind.answerable:
            return ()
        if question.oracle is None and question.kind is Kind.ANS_WO_TIME:
            return (EvidenceDay(session.episode, tuple(self._by_episode[session.episode])),)
        if question.oracle is None:
            return None
        days = {text: day.date() for text in question.oracle if (day := parse_date(text))}
        return tuple(EvidenceDay(text, tuple(turns)) for text, day in days.items() if (turns := self._by_day.get(day)))
