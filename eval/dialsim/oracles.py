"""The oracles: on which dates the facts behind a question came up.

The authors ship them in two more files a show. `tkg` holds, for every session and kind, a list that runs along the
questions, or a mapping from a question's wording; `fan` a mapping from the quiz's id. Their simulator never reads the
entries of the kinds without a date, whose shape is therefore unknown: what is no list of dates counts as no oracle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from eval.dialsim.kinds import Kind, Origin

Lookup = Callable[[str, Iterable[str]], tuple[str, ...] | None]


@dataclass(frozen=True, slots=True)
class Oracles:
    """Both oracle files of a show, as nested containers; None where there is no such file."""

    tkg: Mapping[Any, Any] | None = None
    fan: Mapping[Any, Any] | None = None

    def of_kind(self, episode: str, session: int, kind: Kind) -> Lookup:
        """A function from a question's key and wordings to its dates, or None where the oracle has none."""
        entries = self.fan if kind.origin is Origin.FAN else self.tkg
        for step in (episode, session, kind.value):
            entries = _get(entries, step)
        return lambda key, wordings: _dates(_entry(entries, key, wordings))


def _get(container: Any, key: str | int) -> Any:
    if not isinstance(container, Mapping):
        return None
    if key in container:
        return container[key]
    return container.get(str(key)) if isinstance(key, int) else None


def _entry(entries: Any, key: str, wordings: Iterable[str]) -> Any:
    if isinstance(entries, list | tuple):
        return entries[int(key)] if key.isdecimal() and int(key) < len(entries) else None
    if not isinstance(entries, Mapping):
        return None
    names: list[Any] = [key, *([int(key)] if key.isdecimal() else []), *wordings]
    return next((entries[name] for name in names if name in entries), None)


def _dates(entry: Any) -> tuple[str, ...] | None:
    if isinstance(entry, str):
        return (entry,)
    if isinstance(entry, list | tuple) and all(isinstance(date, str) for date in entry):
        return tuple(entry)
    return None
