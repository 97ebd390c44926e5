"""Does a whole pass count to what the official data counts to? What differs is told with the results, not refused."""

from __future__ import annotations

from collections.abc import Iterator

from eval.dialsim.draw import Unasked
from eval.dialsim.plan import Plan
from eval.dialsim.shows import OFFICIAL_COUNTS


def census(plan: Plan) -> dict[str, int]:
    """Sessions, utterances, dates, and sessions in which a question can be asked (agent and asker are there)."""
    nobody = plan.unasked.get(Unasked.AGENT_SILENT, 0) + plan.unasked.get(Unasked.NO_ASKER, 0)
    return {
        "sessions": plan.session_count,
        "utterances": sum(len(session.turns) for session in plan.sessions()),
        "dates": len({session.date_text for session in plan.sessions()}),
        "questions": plan.session_count - nobody,
    }


def differences(plan: Plan) -> Iterator[str]:
    """What a whole pass over an official show has more or less of than the official data; nothing for other shows."""
    expected = OFFICIAL_COUNTS.get(plan.show)
    if expected is None:
        return
    for name, found in census(plan).items():
        if found != getattr(expected, name):
            yield f"{plan.show}: {found:,} {name} where the official data has {getattr(expected, name):,}"
