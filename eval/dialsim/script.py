"""A session's script as utterances (simulator.py of jiho283/Simulator, rules for lines)."""

from __future__ import annotations

from dataclasses import dataclass

from eval.dialsim.objects import StoredSession
from eval.dialsim.parse import Place

_CREDITS = ("Teleplay: ", "Story: ")


@dataclass(frozen=True, slots=True)
class Utterance:
    """What one speaker says; lines of a script that have no colon belong to the utterance before them."""

    speaker: str
    text: str
    line: str
    """The first line as the script has it, stripped: where an agent's turn is recognised."""


def utterances(session: StoredSession, file: str = "") -> tuple[Utterance, ...]:
    """The session's utterances in order; blank lines and writers' credits are left out.

    Raises DataError where the script starts with a line that nobody says.
    """
    found: list[Utterance] = []
    for raw in session.script.split("\n"):
        line = raw.strip()
        if not line or any(credit in raw for credit in _CREDITS):
            continue
        speaker, colon, text = line.partition(":")
        if colon:
            found.append(Utterance(speaker.strip(), text.strip(), line))
        elif found:
            last = found[-1]
            found[-1] = Utterance(last.speaker, f"{last.text}\n{line}".lstrip("\n"), last.line)
        else:
            place = Place(file, session.episode, str(session.number))
            raise place.error("script", f"its first line has no speaker ('Name: words'): '{line:.60}'")
    return tuple(found)
