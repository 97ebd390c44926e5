"""The schema as it is sent through LiteLLM."""

from __future__ import annotations

import pytest

from amem.lm.providers.litellm_wire import response_format

SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string"}},
    "required": ["answer"],
    "additionalProperties": False,
}


@pytest.mark.parametrize("structured", ["strict", "json_schema"])
@pytest.mark.parametrize(("titled", "name"), [({"title": "response"}, "response"), ({}, "reply")])
def test_a_schemas_title_is_its_name_on_the_wire_and_not_part_of_it(
    structured: str, titled: dict[str, str], name: str
) -> None:
    sent = response_format({**titled, **SCHEMA}, structured)
    assert sent == {
        "type": "json_schema",
        "json_schema": {"name": name, "schema": SCHEMA, "strict": structured == "strict"},
    }
