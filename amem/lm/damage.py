"""Mending the form of broken JSON without adding to what it says."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

_CLOSERS = {"{": "}", "[": "]"}
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class NotJson(ValueError):
    """The text is not JSON, and not damaged in a way that can be mended honestly."""


def strict(text: str) -> Any:
    """JSON as the standard has it: no NaN, no text around it, no half characters; raises NotJson."""
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise NotJson(_line(error)) from None
    if "\\u" in text and _LONE_SURROGATE.search(json.dumps(value, ensure_ascii=False)):
        raise NotJson("half of a surrogate pair")
    return value


def _line(error: BaseException) -> str:
    return "nested too deep" if isinstance(error, RecursionError) else str(error)[:200]


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value")


@dataclass(slots=True)
class _Scan:
    """Where brackets opened from the first one on, and what is finished."""

    start: int = -1
    end: int | None = None
    """One past the bracket that closes the first one; None where it never closes."""
    open: list[tuple[str, int | None]] = field(default_factory=list)
    """Open brackets, outermost first, each with the end of its last finished element or value."""

    def finish(self, end: int) -> None:
        self.open[-1] = (self.open[-1][0], end)

    def close(self, sign: str, end: int) -> bool:
        """Whether this was the last open bracket."""
        if _CLOSERS[self.open.pop()[0]] != sign:
            raise NotJson("brackets do not match")
        if self.open:
            self.finish(end)
            return False
        self.end = end
        return True


def _scan(text: str) -> _Scan:
    scan = _Scan()
    quote = before = ""  # `before`: the last sign that is neither space nor inside a string
    escaped = is_value = False
    for place, sign in enumerate(text):
        if escaped:
            escaped = False
            continue
        if quote:
            escaped = sign == "\\"
            if sign == quote:
                quote = ""
                if is_value:
                    scan.finish(place + 1)
            continue
        if scan.start < 0 and sign not in _CLOSERS:
            continue
        # An apostrophe inside an unquoted word opens nothing.
        if sign == '"' or (sign == "'" and before in "{[,:"):
            quote = sign
            is_value = scan.open[-1][0] == "[" or before == ":"
        elif sign in _CLOSERS:
            scan.start = place if scan.start < 0 else scan.start
            scan.open.append((sign, None))
        elif sign == ",":
            scan.finish(place)
        elif sign in "}]" and scan.close(sign, place + 1):
            return scan
        before = before if sign.isspace() else sign
    return scan


def outermost(text: str) -> str:
    """The first object or array, to its closing bracket or to the end of a text that never closes it."""
    scan = _scan(text)
    if scan.start < 0:
        raise NotJson("no object or array in it")
    return text[scan.start : scan.end]


def close_cut_off(text: str) -> str:
    """Close what is open, without the unfinished element of the innermost array that has a finished one.

    An array without a finished element, or an object's unfinished value, can't be mended: what is missing was never
    said.
    """
    scan = _scan(text)
    if scan.end is not None:
        return text
    for depth in range(len(scan.open) - 1, -1, -1):
        bracket, finished = scan.open[depth]
        if finished is not None and (bracket == "[" or not text[finished:].strip()):
            closers = "".join(_CLOSERS[opened] for opened, _ in reversed(scan.open[: depth + 1]))
            return text[scan.start : finished] + closers
    raise NotJson("cut off before an element was finished")


def mend_syntax(text: str) -> str:
    """Single quotes, bare keys, stray commas and Python's constants, by json_repair; raises NotJson where the result
    holds a value that the text does not."""
    import json_repair

    try:
        value = json_repair.loads(text, skip_json_loads=True)
        mended = json.dumps(value, allow_nan=False)
    except (ValueError, TypeError, RecursionError, IndexError, KeyError) as error:
        raise NotJson(f"beyond repair: {_line(error)}") from None
    if not isinstance(value, dict | list) or not _all_said(value, text):
        raise NotJson("a repair would have to invent a value")
    return mended


def _all_said(value: Any, text: str) -> bool:
    """Whether every leaf and every key of `value` stands in `text`, constants and empties as often as they are used."""
    leaves = list(_leaves(value))
    plain = _letters(text)
    if not all(_letters(leaf) in plain for leaf in leaves if isinstance(leaf, str)):
        return False
    uses = Counter(_constant(leaf) for leaf in leaves if not isinstance(leaf, str) or not leaf)
    return all(_mentions(constant, text) >= count for constant, count in uses.items())


def _leaves(value: Any) -> Any:
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def _constant(leaf: Any) -> str:
    return '""' if leaf == "" and isinstance(leaf, str) else json.dumps(leaf)


_SPELLINGS = {"null": r"\bnull\b|\bNone\b", "true": r"\btrue\b", "false": r"\bfalse\b", '""': r"\"\s*\"|'\s*'"}


def _mentions(constant: str, text: str) -> int:
    pattern = _SPELLINGS.get(constant)
    if pattern:
        return len(re.findall(pattern, text, re.IGNORECASE))
    return len(re.findall(rf"(?<![\w.]){re.escape(constant)}(?![\w])", text))


def _letters(text: str) -> str:
    # Escapes and quotes are what a repair may touch; the letters and digits in between are what was said.
    return "".join(sign for sign in text.replace("\\n", " ").replace("\\t", " ") if sign.isalnum())
