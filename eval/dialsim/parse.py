"""From the nested containers of a DialSim file to typed sessions.

Wrong types and missing fields are errors that name file, episode, session and field. What real data is known to have
(empty `questions`, an answer that equals no option) is kept: the replay passes over such a question, as DialSim does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from amem.errors import DataError
from eval.dialsim.dates import parse_date
from eval.dialsim.kinds import Kind, Origin
from eval.dialsim.objects import StoredQuestion, StoredSession
from eval.dialsim.oracles import Oracles

# Bounds far above the real data (2,347 sessions a show), so that a file made to exhaust the machine ends as an error.
MAX_SESSIONS = 100_000
MAX_QUESTIONS_PER_SESSION = 500_000
MAX_SCRIPT_CHARACTERS = 10_000_000

_FIELDS = {Origin.TKG: "hard_q", Origin.FAN: "easy_q"}


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a file something stands."""

    file: str
    episode: str = ""
    session: str = ""

    def error(self, field: str, problem: str) -> DataError:
        parts = [self.file]
        if self.episode:
            parts.append(f"episode '{self.episode}'")
        if self.session:
            parts.append(f"session {self.session}")
        return DataError(f"{', '.join(parts)}, field '{field}': {problem}")


def parse_show(data: Any, oracles: Oracles, file: str) -> Iterator[StoredSession]:
    """Every session of `{episode: {session: {date, script, hard_q, easy_q}}}`, in stored order."""
    count = 0
    for episode, sessions in _mapping(data, Place(file), "data").items():
        if not isinstance(episode, str):
            raise Place(file).error("data", f"an episode's name must be text, not {episode!r:.80}")
        for number, raw in _mapping(sessions, Place(file, episode), "sessions").items():
            count += 1
            if count > MAX_SESSIONS:
                raise Place(file, episode).error("sessions", f"more than {MAX_SESSIONS:,} sessions")
            yield parse_session(raw, Place(file, episode, str(number)), oracles)


def parse_session(raw: Any, place: Place, oracles: Oracles) -> StoredSession:
    """One session; `place` says which."""
    raw = _mapping(raw, place, "session")
    date_text = _text(raw, "date", place)
    when = parse_date(date_text)
    if when is None:
        raise place.error("date", f"'{date_text}' is not a date such as 'September 22, 1994'")
    script = _text(raw, "script", place)
    if len(script) > MAX_SCRIPT_CHARACTERS:
        raise place.error("script", f"longer than {MAX_SCRIPT_CHARACTERS:,} characters")
    number = as_int(place.session)
    if number is None:
        raise place.error("session", f"the session's number must be a whole number, not '{place.session:.40}'")
    questions = _questions(raw, place, oracles, number)
    return StoredSession(place.episode, number, date_text, when, script, questions)


def as_int(value: Any) -> int | None:
    """`value` as a whole number where it is one or is text of one (JSON has only text keys), else None."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    if isinstance(value, int):
        return value
    digits = value.removeprefix("-")
    return int(value) if digits.isascii() and digits.isdecimal() and len(digits) < 19 else None


def _questions(
    raw: Mapping[Any, Any], place: Place, oracles: Oracles, number: int
) -> dict[Kind, tuple[StoredQuestion, ...]]:
    found: dict[Kind, tuple[StoredQuestion, ...]] = {}
    for origin, field in _FIELDS.items():
        if field not in raw:
            raise place.error(field, f"missing; the session has: {', '.join(map(str, raw)) or 'nothing'}")
        for name, entries in _mapping(raw[field], place, field).items():
            kind = _kind(name, origin, place, field)
            keyed = _keyed(entries, origin, place, f"{field}.{kind}")
            oracle = oracles.of_kind(place.episode, number, kind)
            if keyed:
                found[kind] = tuple(_question(kind, key, q, place, field, oracle) for key, q in keyed)
    if sum(map(len, found.values())) > MAX_QUESTIONS_PER_SESSION:
        raise place.error("hard_q", f"more than {MAX_QUESTIONS_PER_SESSION:,} questions")
    return {kind: found[kind] for kind in Kind if kind in found}


def _kind(name: Any, origin: Origin, place: Place, field: str) -> Kind:
    known = [kind for kind in Kind if kind.origin is origin]
    if name not in known:
        raise place.error(field, f"unknown kind {name!r:.60}; known: {', '.join(known)}")
    return Kind(name)


def _keyed(entries: Any, origin: Origin, place: Place, field: str) -> list[tuple[str, Any]]:
    if origin is Origin.FAN:
        return [(str(key), question) for key, question in _mapping(entries, place, field).items()]
    if not isinstance(entries, list | tuple):
        raise place.error(field, f"must be a list of questions, not {type(entries).__name__}")
    return [(str(position), question) for position, question in enumerate(entries)]


def _question(kind: Kind, key: str, raw: Any, place: Place, field: str, oracle: Any) -> StoredQuestion:
    name = f"{field}.{kind}.{key}"
    raw = _mapping(raw, place, name)
    for part in ("questions", "options", "answer"):
        if part not in raw:
            raise place.error(f"{name}.{part}", f"missing; the question has: {', '.join(map(str, raw)) or 'nothing'}")
    variants = _mapping(raw["questions"], place, f"{name}.questions")
    if not all(isinstance(text, str) for pair in variants.items() for text in pair):
        raise place.error(f"{name}.questions", "must map askers to wordings, both text")
    options, answer = raw["options"], raw["answer"]
    if not isinstance(options, list | tuple) or not all(isinstance(option, str) for option in options):
        raise place.error(f"{name}.options", "must be a list of texts")
    if not isinstance(answer, str):
        raise place.error(f"{name}.answer", f"must be text, not {type(answer).__name__}")
    dates = oracle(key, variants.values())
    return StoredQuestion(kind, key, _default_first(variants), tuple(options), answer, dates)


def _default_first(variants: Mapping[str, str]) -> dict[str, str]:
    # Parquet stores the askers of all questions as one set of columns, so that a question's own order is lost there.
    return {asker: variants[asker] for asker in sorted(variants, key=lambda asker: (asker != "default", asker))}


def _mapping(value: Any, place: Place, field: str) -> Mapping[Any, Any]:
    if not isinstance(value, Mapping):
        raise place.error(field, f"must be a mapping, not {type(value).__name__}")
    return value


def _text(raw: Mapping[Any, Any], field: str, place: Place) -> str:
    if field not in raw:
        raise place.error(field, f"missing; the session has: {', '.join(map(str, raw)) or 'nothing'}")
    value = raw[field]
    if not isinstance(value, str):
        raise place.error(field, f"must be text, not {type(value).__name__}")
    return value


def has_kind(data: Any, kinds: Sequence[Kind] | frozenset[Kind]) -> bool:
    """Whether any session of the nested containers has a question of one of `kinds`; damaged parts count as without."""
    names = {str(kind) for kind in kinds}
    for sessions in data.values() if isinstance(data, Mapping) else ():
        for raw in sessions.values() if isinstance(sessions, Mapping) else ():
            hard = raw.get("hard_q") if isinstance(raw, Mapping) else None
            if isinstance(hard, Mapping) and any(hard.get(name) for name in names):
                return True
    return False
