"""`recalls.jsonl`: what was recalled, each text once by its hash, and of each text only the lines that are new.

Recalled texts repeat each other: a memory that shows all shows a whole show again at every question. A row is
`{"hash": …, "parts": […]}`; a part is new text, or `[place, count]`: so many lines of the new texts above, from that
place on. The parts, joined by newlines, are the text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from amem.errors import ResultsError
from eval.runner.files import read_jsonl

_WORTH_FINDING = 16
"""Characters of a line; shorter ones (empty ones above all) are only repeated where they go on from the line before."""

Stretch = tuple[int, int]
"""Lines of `_lines`: the first, and how many."""


def text_hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


class Recalls(Mapping[str, str]):
    """Texts by hash. Lines are held once; a text is put together when it is looked up."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._places: dict[str, int] = {}
        self._texts: dict[str, list[Stretch]] = {}

    def __getitem__(self, key: str) -> str:
        return "\n".join(line for start, count in self._texts[key] for line in self._lines[start : start + count])

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def __contains__(self, key: object) -> bool:
        return key in self._texts

    def add(self, text: str) -> dict[str, Any] | None:
        """The row of a text, or None where it is here already."""
        key = text_hash(text)
        if key in self:
            return None
        known = len(self._lines)
        self._texts[key] = stretches = self._stretches(text.split("\n"))
        return {"hash": key, "parts": [self._part(stretch, known) for stretch in stretches]}

    def take(self, row: Mapping[str, Any]) -> None:
        """Take in a row of the file; rows must come in the file's order. Raises KeyError, TypeError or ValueError.

        A text that does not have its hash is not taken.
        """
        stretches: list[Stretch] = []
        for part in row["parts"]:
            if isinstance(part, str):
                lines = part.split("\n")
                stretches.append((len(self._lines), len(lines)))
                for line in lines:
                    self._append(line)
                continue
            start, count = part
            stretches.append((start, count))
        self._texts[row["hash"]] = stretches
        if text_hash(self[row["hash"]]) != row["hash"]:
            del self._texts[row["hash"]]

    def _stretches(self, lines: list[str]) -> list[Stretch]:
        known = len(self._lines)
        found: list[Stretch] = []
        for line in lines:
            place = self._place(line, sum(found[-1]) if found else known, known)
            if found and place == sum(found[-1]) and (place < known) == (found[-1][0] < known):
                found[-1] = (found[-1][0], found[-1][1] + 1)
            else:
                found.append((place, 1))
        return found

    def _place(self, line: str, following: int, known: int) -> int:
        """Where the line is held: right after the line before it if it can be, else where it first was, else anew."""
        if following < known and self._lines[following] == line:
            return following
        place = self._places.get(line)
        if place is not None and place < known and len(line) >= _WORTH_FINDING:
            return place
        self._append(line)
        return len(self._lines) - 1

    def _append(self, line: str) -> None:
        self._places.setdefault(line, len(self._lines))
        self._lines.append(line)

    def _part(self, stretch: Stretch, known: int) -> str | list[int]:
        start, count = stretch
        return "\n".join(self._lines[start : start + count]) if start >= known else [start, count]


def read_recalls(path: Path) -> Recalls:
    """The texts of a run; none where there is no file. Raises ResultsError for a row of another kind.

    A row that lost what it builds on (a killed or failed writer) is left out: its text does not have its hash.
    """
    recalls = Recalls()
    if not path.exists():
        return recalls
    for number, row in enumerate(read_jsonl(path, tolerate_cut_end=True), start=1):
        try:
            recalls.take(row)
        except (KeyError, TypeError, ValueError) as error:
            raise ResultsError(f"{path}:{number}: not a recalled text ({error!r}); delete the run's folder") from error
    return recalls
