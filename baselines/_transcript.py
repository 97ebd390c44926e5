"""A conversation as it was said: sessions in order, as plain data and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from amem.contract import Observation, Session, Turn
from amem.prompting.pack import PromptPack


class Transcript:
    """The sessions taken in so far; parts of one session are joined."""

    def __init__(self, sessions: tuple[Session, ...] = ()) -> None:
        self.sessions = sessions

    def with_session(self, session: Session) -> Transcript:
        """A new transcript that goes on with `session`, or with the next part of its last one."""
        *before, last = self.sessions or (None,)
        if last is not None and last.id == session.id:
            joined = replace(
                last,
                turns=last.turns + session.turns,
                part=session.part,
                observations=last.observations + session.observations,
                summary=session.summary or last.summary,
            )
            return Transcript((*before, joined))
        return Transcript((*self.sessions, session))

    @property
    def speakers(self) -> list[str]:
        """In order of their first turn."""
        return list(dict.fromkeys(turn.speaker for session in self.sessions for turn in session.turns))

    def to_json(self) -> list[dict[str, Any]]:
        return [session_to_json(session) for session in self.sessions]

    @classmethod
    def from_json(cls, data: list[Mapping[str, Any]]) -> Transcript:
        return cls(tuple(session_from_json(entry) for entry in data))


def said(prompts: PromptPack, turns: Sequence[Turn]) -> str:
    """The turns as the prompt pack writes them, a line each."""
    return "\n".join(prompts.render("turn", turn=turn) for turn in turns)


def session_to_json(session: Session) -> dict[str, Any]:
    return {**asdict(session), "when": session.when.isoformat()}


def session_from_json(data: Mapping[str, Any]) -> Session:
    fields = dict(data)
    return Session(
        **{
            **fields,
            "when": datetime.fromisoformat(fields["when"]),
            "turns": tuple(Turn(**turn) for turn in fields["turns"]),
            "observations": tuple(
                Observation(entry["speaker"], entry["text"], tuple(entry["turn_ids"]))
                for entry in fields["observations"]
            ),
        }
    )
