"""A reply's text → the JSON value that its schema asks for, with one pass of repair.

Repairs undo damage to the *form* of what the model said. They never add: a value that can't be found in the reply
refuses the repair, and a cut-off reply loses its unfinished end instead of having it completed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from amem.lm.damage import NotJson, close_cut_off, mend_syntax, outermost, strict
from amem.lm.scalars import coerce

_FENCE = re.compile(r"```[A-Za-z0-9_-]*\s*([\[{].*?)(?:```|\Z)", re.DOTALL)


class SchemaError(ValueError):
    """The reply does not hold the value that was asked for; the message says what is wrong, in a line."""


@dataclass(frozen=True, slots=True)
class Parsed:
    value: Any
    repairs: tuple[str, ...]
    """`code_fence`, `surrounding_text`, `cut_off`, `syntax`, `scalar_type`, in the order they were made."""


def parse(text: str, schema: Mapping[str, Any]) -> Parsed:
    """The value of `text`, valid under `schema`; raises SchemaError."""
    value, repairs = _read(text)
    problem = _problem(value, schema)
    if problem is None:
        return Parsed(value, repairs)
    coerced = coerce(value, schema)
    if coerced != value or type(coerced) is not type(value):
        remaining = _problem(coerced, schema)
        if remaining is None:
            return Parsed(coerced, (*repairs, "scalar_type"))
    raise SchemaError(problem)


def _read(text: str) -> tuple[Any, tuple[str, ...]]:
    try:
        return strict(text), ()
    except NotJson as error:
        first_error = error
    for steps in _PLANS:
        try:
            return _apply(text, steps)
        except NotJson:
            continue
    raise SchemaError(f"not JSON: {first_error}")


def _apply(text: str, steps: tuple[tuple[str, Callable[[str], str]], ...]) -> tuple[Any, tuple[str, ...]]:
    """Steps that change nothing are not named."""
    repairs: list[str] = []
    for name, step in steps:
        changed = step(text)
        if changed.strip() != text.strip():
            repairs.append(name)
        text = changed
    return strict(text), tuple(repairs)


def _unfenced(text: str) -> str:
    match = _FENCE.search(text)
    return match.group(1) if match else text


_FENCE_STEP = ("code_fence", _unfenced)
_OUTER_STEP = ("surrounding_text", outermost)
_CUT_STEP = ("cut_off", close_cut_off)
_SYNTAX_STEP = ("syntax", mend_syntax)
# From the least to the most invasive; the first plan that gives JSON is taken.
_PLANS = (
    (_FENCE_STEP,),
    (_OUTER_STEP,),
    (_FENCE_STEP, _OUTER_STEP),
    (_FENCE_STEP, _OUTER_STEP, _CUT_STEP),
    (_FENCE_STEP, _OUTER_STEP, _CUT_STEP, _SYNTAX_STEP),
)


def _problem(value: Any, schema: Mapping[str, Any]) -> str | None:
    from jsonschema.exceptions import best_match

    error = best_match(_validator(json.dumps(schema, sort_keys=True)).iter_errors(value))
    if error is None:
        return None
    return f"at {error.json_path}: {error.message:.300}"


def fills_a_limit(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether a string of `value`, valid under `schema`, is as long as its `maxLength` lets it be.

    A grammar that holds a model to the limit ends the string there, in the middle of a word too.
    """
    return next(_limits(json.dumps(schema, sort_keys=True)).iter_errors(value), None) is not None


@lru_cache(maxsize=256)
def _limits(schema: str) -> Any:
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    return extend(Draft202012Validator, {"maxLength": _filled})(json.loads(schema))


def _filled(validator: Any, limit: int, value: Any, schema: Mapping[str, Any]) -> Iterator[Exception]:
    from jsonschema import ValidationError

    if isinstance(value, str) and len(value) >= limit:
        yield ValidationError(f"{len(value)} characters fill the limit of {limit}")


@lru_cache(maxsize=256)
def _validator(schema: str) -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(json.loads(schema))
