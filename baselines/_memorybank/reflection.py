"""What MemoryBank writes about the dialogue: summaries and portraits, by session and over all sessions.

Zhong et al. (AAAI 2024): hierarchical event summary, and dynamic personality understanding. A session stands for the
paper's day; both speakers get a portrait, since both are people here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from amem.contract import Session
from amem.lm.types import Completion, Request
from amem.prompting.pack import PromptPack
from baselines._calls import Caller
from baselines._transcript import Transcript, said
from baselines._window import clip

GlobalFrom = Literal["sessions", "previous"]


@dataclass(frozen=True)
class Reflections:
    """Each text by what it is about; what the model never gave is absent."""

    summaries: Mapping[str, str] = field(default_factory=dict)
    """By session id."""
    insights: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By session id, then speaker: what the session tells of the speaker's character and mood."""
    global_summary: str | None = None
    portraits: Mapping[str, str] = field(default_factory=dict)
    """By speaker."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class ReflectionLimits:
    """Texts that are longer are cut after a whole word, and counted."""

    summary_tokens: int
    portrait_tokens: int
    """Of each speaker."""
    portrait_speakers: int
    """Only those with the most turns get a portrait."""
    global_from: GlobalFrom


class Reflector:
    """Writes the texts anew as sessions come in: two calls side by side for the session, then two over all."""

    def __init__(self, caller: Caller, prompts: PromptPack, limits: ReflectionLimits) -> None:
        self._caller = caller
        self._prompts = prompts
        self._limits = limits

    def after(self, transcript: Transcript, before: Reflections, counts: Counter[str]) -> Reflections:
        """Reflections that take in the last session. What the model does not give stays as it was before."""
        session = transcript.sessions[-1]
        summary, insight = self._session(session, counts)
        summaries = {**before.summaries, **({session.id: summary} if summary else {})}
        insights = {**before.insights, **({session.id: insight} if insight else {})}
        speakers = self._most_talking(transcript.sessions)
        requests = {
            "summary": self._global_summary(transcript, summaries, before),
            "portrait": self._global_portrait(transcript, insights, before, speakers),
        }
        asked = {name: request for name, request in requests.items() if request is not None}
        replies = dict(zip(asked, self._caller.all(list(asked.values()), counts), strict=True))
        portraits = {**before.portraits, **self._portraits(replies.get("portrait"), counts)}
        return Reflections(
            summaries,
            insights,
            self._summary(replies.get("summary"), counts) or before.global_summary,
            {speaker: portraits[speaker] for speaker in speakers if speaker in portraits},
        )

    def _session(self, session: Session, counts: Counter[str]) -> tuple[str | None, dict[str, str]]:
        given = {"session": session, "dialogue": said(self._prompts, session.turns)}
        summary, portrait = self._caller.all(
            [
                self._caller.request("memorybank_session_summary", **given),
                self._caller.request("memorybank_session_portrait", **given, speakers=self._most_talking((session,))),
            ],
            counts,
        )
        return self._summary(summary, counts), self._portraits(portrait, counts)

    def _global_summary(
        self, transcript: Transcript, summaries: Mapping[str, str], before: Reflections
    ) -> Request | None:
        previous, sessions = self._material(transcript, before.global_summary)
        entries = [{"session": s, "summary": summaries[s.id]} for s in sessions if s.id in summaries]
        if not entries:
            return None
        return self._caller.request("memorybank_global_summary", previous=previous, summaries=entries)

    def _global_portrait(
        self,
        transcript: Transcript,
        insights: Mapping[str, Mapping[str, str]],
        before: Reflections,
        speakers: list[str],
    ) -> Request | None:
        previous, sessions = self._material(transcript, before.portraits or None)
        entries = [{"session": s, "portraits": insights[s.id]} for s in sessions if s.id in insights]
        if not entries:
            return None
        return self._caller.request(
            "memorybank_global_portrait", previous=previous, insights=entries, speakers=speakers
        )

    def _material(self, transcript: Transcript, previous: Any) -> tuple[Any, tuple[Session, ...]]:
        """What an overall text is made of: all sessions, or the text so far and the last session."""
        if self._limits.global_from == "previous" and previous is not None:
            return previous, transcript.sessions[-1:]
        return None, transcript.sessions

    def _most_talking(self, sessions: tuple[Session, ...]) -> list[str]:
        turns = Counter(turn.speaker for session in sessions for turn in session.turns)
        return [speaker for speaker, _ in turns.most_common(self._limits.portrait_speakers)]

    def _summary(self, completion: Completion | None, counts: Counter[str]) -> str | None:
        return self._clipped(completion.text, self._limits.summary_tokens, counts) if completion else None

    def _portraits(self, completion: Completion | None, counts: Counter[str]) -> dict[str, str]:
        texts = completion.parsed if completion else {}
        clipped = {who: self._clipped(text, self._limits.portrait_tokens, counts) for who, text in texts.items()}
        return {who: text for who, text in clipped.items() if text}

    def _clipped(self, text: str, limit: int, counts: Counter[str]) -> str:
        kept = clip(text.strip(), limit)
        counts["reflections_cut_at_limit"] += kept != text.strip()
        return kept
