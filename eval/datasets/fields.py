"""Reading JSON of unknown quality: every value knows where it stands, so that every complaint can say so."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

from amem.errors import DataError

CURE = "Correct the field, or put the published file in its place"
KINDS = {dict: "an object", list: "a list", str: "text", int: "a whole number"}


@dataclass(frozen=True, slots=True)
class Field:
    """A value of a JSON file with its place: file, sample and path."""

    value: Any
    file: str
    path: str = ""
    sample: str = ""

    def fail(self, problem: str, cure: str = CURE) -> NoReturn:
        """Raise the DataError that names file, sample, field, problem and way out."""
        place = ", ".join(part for part in (self.file, self.sample, self.path) if part)
        raise DataError(f"{place}: {problem}. {cure}.")

    def of(self, kind: type) -> Any:
        """The value, which must be of `kind` (true and false are not whole numbers)."""
        if type(self.value) is not kind:
            self.fail(f"expected {KINDS[kind]}, found {shown(self.value)}")
        return self.value

    def text(self) -> str:
        """The value as text that is not blank and can be written as UTF-8."""
        text = self.of(str)
        if not text.strip():
            self.fail("the text is empty")
        try:
            text.encode()
        except UnicodeEncodeError:
            self.fail("the text holds half of a surrogate pair, which is no character")
        return text

    def has(self, key: str) -> bool:
        return key in self.of(dict)

    def get(self, key: str) -> Field:
        """The member `key` of this object, which must be there."""
        members = self.of(dict)
        member = replace(self, path=f"{self.path}.{key}" if self.path else key)
        if key not in members:
            member.fail("the field is missing", "Add it, or put the published file in its place")
        return replace(member, value=members[key])

    def each(self) -> Iterator[Field]:
        """The members of this list, in order."""
        for index, value in enumerate(self.of(list)):
            yield replace(self, value=value, path=f"{self.path}[{index}]")


def read_json(path: Path) -> tuple[Field, bytes]:
    """The file's content as a Field, and its bytes. Raises DataError for anything that is no strict JSON."""
    root = Field(None, str(path))
    try:
        raw = path.read_bytes()
    except OSError as error:
        root.fail(f"can't be read ({error.strerror or error})", "Check the path and its permissions")
    try:
        value = json.loads(raw.decode("utf-8-sig"), object_pairs_hook=_without_doubles, parse_constant=_no_constant)
    except RecursionError:
        root.fail("the JSON is nested too deeply")
    except ValueError as error:
        root.fail(f"is no valid JSON ({error})", "Correct the file, or put the published one in its place")
    return replace(root, value=value), raw


def refuse_doubles(field: Field, ids: list[str], name: str) -> None:
    """Raise DataError where one of the ids (called `name` in the file) occurs twice below `field`."""
    if len(set(ids)) < len(ids):
        double = next(i for i in ids if ids.count(i) > 1)
        field.fail(f"the {name} {shown(double)} is used twice", f"Give each its own {name}")


def shown(value: Any, limit: int = 60) -> str:
    """A value for an error message, cut to `limit` characters."""
    if isinstance(value, list | dict):
        return f"{KINDS[type(value)]} of {len(value)}"
    text = json.dumps(value)
    return text if len(text) <= limit else f"{text[:limit]}…"


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        keys = [key for key, _ in pairs]
        double = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {shown(double)} stands twice in one object")
    return members


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")
