"""The grammar admits exactly the compact spelling of what the schema admits.

GBNF of this subset is regular, so it is checked by turning it into a regular expression; that llama.cpp reads it the
same way is checked in test_embedded.py.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amem.lm.providers._gbnf import UnsupportedSchema, grammar_of

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]|\{\d+,\d*\}|[a-z]+|[()|?*+]|\s+')


def matches(grammar: str, text: str) -> bool:
    rules = dict(line.split(" ::= ", 1) for line in grammar.strip().split("\n"))
    return re.fullmatch(_regex(rules, "root"), text) is not None


def _regex(rules: dict[str, str], name: str) -> str:
    parts = []
    for token in _TOKEN.findall(rules[name]):
        if token[0] == '"':
            parts.append("(?:" + re.escape(re.sub(r"\\(.)", r"\1", token[1:-1])) + ")")
        elif token[0].isalpha():
            parts.append(f"(?:{_regex(rules, token)})")
        elif token == "(":
            parts.append("(?:")
        else:
            parts.append(token.strip())
    return "".join(parts)


def spelled(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@st.composite
def strings(draw: st.DrawFn) -> tuple[dict[str, Any], Any]:
    text = draw(texts)
    schema: dict[str, Any] = {"type": "string"}
    if draw(st.booleans()):
        schema |= {"minLength": draw(st.integers(0, len(text))), "maxLength": len(text) + draw(st.integers(0, 3))}
    return schema, text


def objects(inner: st.SearchStrategy[tuple[dict[str, Any], Any]]) -> st.SearchStrategy[tuple[dict[str, Any], Any]]:
    def build(fields: dict[str, tuple[dict[str, Any], Any]]) -> tuple[dict[str, Any], Any]:
        properties = {name: schema for name, (schema, _) in fields.items()}
        value = {name: value for name, (_, value) in fields.items()}
        return {"type": "object", "properties": properties, "required": list(fields)}, value

    return st.dictionaries(texts, inner, max_size=3).map(build)


@st.composite
def arrays(draw: st.DrawFn) -> tuple[dict[str, Any], Any]:
    values = draw(st.lists(st.integers(-999, 999), max_size=4))
    schema: dict[str, Any] = {"type": "array", "items": {"type": "integer"}}
    if draw(st.booleans()):
        schema |= {"minItems": draw(st.integers(0, len(values))), "maxItems": len(values) + draw(st.integers(0, 2))}
    return schema, values


@st.composite
def choices(draw: st.DrawFn) -> tuple[dict[str, Any], Any]:
    values = draw(st.lists(texts, min_size=1, max_size=4, unique=True))
    return {"enum": values}, draw(st.sampled_from(values))


scalars = st.one_of(
    strings(),
    choices(),
    st.integers(-(10**14), 10**14).map(lambda value: ({"type": "integer"}, value)),
    st.booleans().map(lambda value: ({"type": "boolean"}, value)),
)
alternatives = st.tuples(scalars, scalars).map(lambda two: ({"anyOf": [two[0][0], two[1][0]]}, two[1][1]))
schemas_with_a_value = st.recursive(scalars | arrays() | alternatives, objects, max_leaves=6)


@given(schemas_with_a_value)
def test_every_value_of_the_schema_is_admitted_in_its_compact_spelling(pair: tuple[dict[str, Any], Any]) -> None:
    schema, value = pair
    assert matches(grammar_of(schema), spelled(value))


@given(schemas_with_a_value)
def test_whitespace_between_tokens_is_not_admitted(pair: tuple[dict[str, Any], Any]) -> None:
    schema, value = pair
    grammar = grammar_of({"type": "object", "properties": {"x": schema}})
    compact = spelled({"x": value})
    assert matches(grammar, compact)
    for spaced in (f" {compact}", f"{compact}\n", compact.replace('"x":', '"x": ', 1), "{ " + compact[1:]):
        assert not matches(grammar, spaced)


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"type": "string", "maxLength": 2}, '"abc"'),
        ({"type": "string", "minLength": 2}, '"a"'),
        ({"type": "string"}, '"a\nb"'),
        ({"type": "array", "items": {"type": "integer"}, "maxItems": 1}, "[1,2]"),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 1}, "[]"),
        ({"type": "array", "items": {"type": "integer"}, "maxItems": 0}, "[1]"),
        ({"type": "integer"}, "01"),
        ({"type": "boolean"}, "True"),
        ({"enum": ["a", "b"]}, '"c"'),
        ({"type": "object", "properties": {"a": {"type": "boolean"}, "b": {"type": "boolean"}}}, '{"a":true}'),
    ],
)
def test_what_the_schema_excludes_is_not_admitted(schema: dict[str, Any], text: str) -> None:
    assert not matches(grammar_of(schema), text)


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "number"}, r"reply: type 'number' is not supported"),
        ({"type": ["string", "null"]}, r"reply: type \['string', 'null'\]"),
        ({}, r"reply: type None"),
        ({"type": "string", "pattern": "a+"}, r"reply: pattern is not supported"),
        ({"type": "object", "properties": {"a": {"$ref": "#/x"}}}, r"reply\.a: type None"),
        ({"type": "array", "items": {"type": "string"}, "uniqueItems": True}, r"reply: uniqueItems"),
        ({"type": "array", "items": {"type": "null"}}, r"reply\[\]: type 'null'"),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 3, "maxItems": 2}, r"minItems 3 is above"),
        ({"type": "object", "required": ["a"]}, r"required names a"),
        ({"enum": []}, r"enum is empty"),
    ],
)
def test_what_the_grammar_cannot_express_is_refused(schema: dict[str, Any], said: str) -> None:
    with pytest.raises(UnsupportedSchema, match=said):
        grammar_of(schema)
