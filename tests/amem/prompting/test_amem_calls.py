"""The calls of A-Mem in the shipped packs, under every switch that their templates know."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from amem.prompting.pack import PromptPack
from tests.amem.prompting.examples import VARIABLES

PROMPTS = Path(__file__).parents[3] / "configs" / "prompts"
PACKS = {path.parent.name: PromptPack(path.parent) for path in sorted(PROMPTS.glob("*/pack.yaml"))}
SWITCHES = [
    {"links_as": links_as, "strengthen_tags": strengthen, "evolving": evolving}
    for links_as, strengthen, evolving in product(
        ["ids", "positions"], [False, True], [["context", "keywords", "tags"], ["context", "tags"], ["tags"]]
    )
]
CASES = [(p, call, s) for p in PACKS for call in ("note_link", "note_evolve", "note_evolve_joint") for s in SWITCHES]


@pytest.mark.parametrize(("pack", "call", "switches"), CASES)
def test_the_schema_and_the_worked_examples_fit_the_switches(pack: str, call: str, switches: dict[str, Any]) -> None:
    request = PACKS[pack].request(call, **{**VARIABLES, **switches})
    schema = json.loads(json.dumps(request.schema))
    jsonschema.Draft202012Validator.check_schema(schema)
    forms = schema.get("anyOf", [schema])
    assert all(form["required"] == list(form["properties"]) for form in forms)
    for message in request.messages:
        if message.role == "assistant":
            _check_example(json.loads(message.content), [_of_any_notes(form) for form in forms])


def _of_any_notes(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without what depends on the very notes that are asked about."""
    for field in schema["properties"].values():
        field.pop("maxItems", None)
        if field.get("items", {}).get("enum") == ["n1", "n2"]:
            del field["items"]["enum"]
    return schema


def _check_example(value: Any, forms: list[dict[str, Any]]) -> None:
    jsonschema.validate(value, {"anyOf": forms})
    assert list(value) in [list(form["properties"]) for form in forms]


def test_the_fields_of_a_joint_reply_are_the_released_codes() -> None:
    switches = {"links_as": "positions", "strengthen_tags": True, "evolving": ["context", "tags"]}
    schema = PACKS["default"].request("note_evolve_joint", **{**VARIABLES, **switches}).schema
    assert set(schema["properties"]) == {
        "should_evolve", "actions", "suggested_connections", "tags_to_update", "new_context_neighborhood",
        "new_tags_neighborhood",
    }  # fmt: skip
    assert schema["properties"]["suggested_connections"]["items"] == {"type": "integer"}


@pytest.mark.parametrize("pack", PACKS)
def test_without_neighbours_a_joint_call_still_has_a_schema_that_can_be_met(pack: str) -> None:
    request = PACKS[pack].request("note_evolve_joint", **{**VARIABLES, "neighbours": []})
    jsonschema.validate({name: _empty(part) for name, part in request.schema["properties"].items()}, request.schema)


def _empty(part: dict[str, Any]) -> Any:
    return False if part["type"] == "boolean" else []
