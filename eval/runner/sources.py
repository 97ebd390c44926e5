"""A recall's sources as they are stored: consecutive turns as one entry.

A whole show in the prompt has thousands of sources a question. Turns are numbered within their session, so that a run
of them, in order and alike in kind, is its first turn and the number of its last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from amem.contract import Source

_NUMBERED = re.compile(r"(.*):(0|[1-9][0-9]{0,8})", re.DOTALL)
_SHORTEST = 3
"""Two turns are as short, and easier to read, by themselves."""


def sources_json(sources: Iterable[Source]) -> list[dict[str, Any]]:
    """`{"turn": "D1:4", "derived": false}`, or with `"to": 9` for D1:4, D1:5 … D1:9."""
    entries: list[dict[str, Any]] = []
    run: list[Source] = []
    for source in sources:
        if run and not _follows(source, run[-1]):
            entries += _entries(run)
            run = []
        run.append(source)
    return entries + _entries(run)


def sources_of(recall: Mapping[str, Any]) -> Iterator[Source]:
    """The sources of a stored recall, most relevant first."""
    for entry in recall["sources"]:
        if "to" not in entry:
            yield Source(entry["turn"], entry["derived"])
            continue
        head, number = _split(entry["turn"])
        yield from (Source(f"{head}:{place}", entry["derived"]) for place in range(number or 0, entry["to"] + 1))


def _entries(run: list[Source]) -> list[dict[str, Any]]:
    if len(run) < _SHORTEST:
        return [{"turn": source.turn_id, "derived": source.derived} for source in run]
    return [{"turn": run[0].turn_id, "to": _split(run[-1].turn_id)[1], "derived": run[0].derived}]


def _follows(source: Source, before: Source) -> bool:
    (head, number), (head_before, number_before) = _split(source.turn_id), _split(before.turn_id)
    is_next = number is not None and number_before is not None and number == number_before + 1
    return is_next and head == head_before and source.derived == before.derived


def _split(turn_id: str) -> tuple[str, int | None]:
    """What stands before the last colon and the number after it; None where it is not written as Python writes it."""
    match = _NUMBERED.fullmatch(turn_id)
    return (match[1], int(match[2])) if match else (turn_id, None)
