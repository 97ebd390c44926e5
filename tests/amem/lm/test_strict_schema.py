from __future__ import annotations

import pytest

from amem.errors import PromptPackError
from amem.lm.strict_schema import strict


def thing(**parts):
    return {"type": "object", "properties": {"a": parts}, "required": ["a"], "additionalProperties": False}


def test_objects_are_closed_and_limits_that_the_api_refuses_are_left_out():
    inner = {"type": "object", "properties": {"title": {"type": "string", "minLength": 1}}, "required": ["title"]}
    found = strict(thing(type="array", items=inner, maxItems=3, uniqueItems=True))
    assert found == thing(
        type="array",
        maxItems=3,
        items={
            "type": "object",
            "properties": {"title": {"type": "string"}},
            "required": ["title"],
            "additionalProperties": False,
        },
    )


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"type": "array", "items": {}}, "object at its root"),
        ({"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a"]}, "optional: b|these are optional: b"),
        (thing(oneOf=[{"type": "string"}]), r"\$\.a: strict structured output knows no oneOf"),
        (thing(type="object", additionalProperties={"type": "string"}), r"\$\.a: .* additionalProperties: false"),
    ],
)
def test_what_strict_mode_can_not_say_is_refused_with_its_place(schema, message):
    with pytest.raises(PromptPackError, match=message):
        strict(schema)
