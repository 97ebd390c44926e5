"""Every template of the shipped packs renders with the documented variables, and every schema is one."""

from __future__ import annotations

import re
from pathlib import Path

import jinja2
import jinja2.meta
import jsonschema
import pytest

from amem.lm.providers._gbnf import grammar_of
from amem.prompting.pack import PromptPack
from tests.amem.prompting.examples import VARIABLES

PROMPTS = Path(__file__).parents[3] / "configs" / "prompts"
PACKS = {path.parent.name: PromptPack(path.parent) for path in sorted(PROMPTS.glob("*/pack.yaml"))}
CALLS = [(name, call) for name, pack in PACKS.items() for call in pack.calls()]
PARTS = [(name, part) for name, pack in PACKS.items() for part in pack.parts()]


def asked_for(template: Path) -> set[str]:
    """The variables that a template file uses."""
    environment = jinja2.Environment()
    environment.filters["json"] = str
    return jinja2.meta.find_undeclared_variables(environment.parse(template.read_text("utf-8"))) - {"part"}


def documented(name: str) -> set[str]:
    """The variables that the README's table row of a call or part names in its second column."""
    row = re.search(rf"^\| `{name}` \|([^|]*)\|", (PROMPTS / "README.md").read_text("utf-8"), re.MULTILINE)
    assert row, f"configs/prompts/README.md has no table row for `{name}`"
    return set(re.findall(r"`(\w+)`", row.group(1)))


@pytest.mark.parametrize(("pack", "call"), CALLS)
def test_a_call_renders_with_its_documented_variables(pack: str, call: str) -> None:
    variables = {name: VARIABLES[name] for name in documented(call) if name in VARIABLES}
    request = PACKS[pack].request(call, **variables)
    assert request.purpose == call
    assert all(message.content.strip() for message in request.messages)
    assert request.messages[-1].role == "user"


@pytest.mark.parametrize(("pack", "part"), PARTS)
def test_a_part_renders_with_its_documented_variables(pack: str, part: str) -> None:
    variables = {name: VARIABLES[name] for name in documented(part) if name in VARIABLES}
    assert PACKS[pack].render(part, **variables).strip()


@pytest.mark.parametrize("template", sorted(PROMPTS.glob("*/*/**/*.j2")), ids=lambda p: str(p.relative_to(PROMPTS)))
def test_a_template_uses_only_documented_variables(template: Path) -> None:
    name = template.stem if template.parent.name == "parts" else template.parent.name
    assert asked_for(template) <= documented(name)


@pytest.mark.parametrize(("pack", "call"), CALLS)
def test_the_schema_of_a_call_is_a_strict_json_schema(pack: str, call: str) -> None:
    schema = PACKS[pack].request(call, **VARIABLES).schema
    if schema is None:
        return
    jsonschema.Draft202012Validator.check_schema(schema)
    for form in schema.get("anyOf", [schema]):
        assert form["additionalProperties"] is False
        assert form["required"] == list(form["properties"])


@pytest.mark.parametrize("call", PACKS["small"].calls())
def test_the_embedded_backbone_can_hold_every_reply_to_its_schema(call: str) -> None:
    schema = PACKS["small"].request(call, **VARIABLES).schema
    if schema is not None:
        assert grammar_of(schema)


@pytest.mark.parametrize(("pack", "call"), CALLS)
def test_every_call_bounds_its_reply(pack: str, call: str) -> None:
    assert PACKS[pack].request(call, **VARIABLES).sampling.max_tokens


def test_a_link_schema_admits_the_ids_of_the_neighbours_and_no_other() -> None:
    schema = PACKS["default"].request("note_link", **VARIABLES).schema
    jsonschema.validate({"links": ["n1", "n2"]}, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"links": ["n3"]}, schema)


def test_a_turn_without_a_picture_mentions_none() -> None:
    turn = VARIABLES["turn"]
    assert "kiln in a shed" in PACKS["default"].render("turn", turn=turn)
    bare = type(turn)(id=turn.id, speaker=turn.speaker, text=turn.text)
    assert PACKS["default"].render("turn", turn=bare) == 'Ines says: "The kiln arrived."'


def test_the_abstaining_option_has_the_published_wording() -> None:
    assert {pack.render("abstain_option") for pack in PACKS.values()} == {"Not mentioned in the conversation"}
