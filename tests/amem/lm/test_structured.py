from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amem.lm.structured import SchemaError, fills_a_limit, parse

NOTE = {
    "type": "object",
    "properties": {
        "context": {"type": "string"},
        "keywords": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["context", "keywords"],
    "additionalProperties": False,
}
LINKS = {
    "type": "object",
    "properties": {"links": {"type": "array", "items": {"type": "string"}}},
    "required": ["links"],
    "additionalProperties": False,
}
CHOICE = {
    "type": "object",
    "properties": {"page": {"type": "integer"}, "update": {"type": "boolean"}, "share": {"type": "number"}},
    "additionalProperties": False,
}
GOOD = '{"context": "a {kiln}, \\"new\\"", "keywords": ["kiln", "it\'s"]}'
VALUE = {"context": 'a {kiln}, "new"', "keywords": ["kiln", "it's"]}


@pytest.mark.parametrize(
    ("text", "repairs"),
    [
        (GOOD, ()),
        (f"\n {GOOD} \n", ()),
        (f"```json\n{GOOD}\n```", ("code_fence",)),
        (f"```\n{GOOD}\n```\nHope this helps!", ("code_fence",)),
        (f"```json\n{GOOD}", ("code_fence",)),
        (f"{GOOD}\n\nLet me know.", ("surrounding_text",)),
        (f"Here you are: {GOOD}", ("surrounding_text",)),
        (f"{GOOD}{GOOD}", ("surrounding_text",)),
        (f"Sure:\n```json\nThe note: {GOOD} done\n```", ("surrounding_text",)),
        (GOOD[:-1] + ",}", ("syntax",)),
        ('{context: "a {kiln}, \\"new\\"", \'keywords\': ["kiln", "it\'s"]}', ("syntax",)),
    ],
)
def test_damage_to_the_form_is_mended_and_named(text, repairs):
    parsed = parse(text, NOTE)
    assert parsed.value == VALUE
    assert parsed.repairs == repairs


def test_single_quotes_are_mended():
    parsed = parse("{'context': 'a kiln', 'keywords': ['kiln', 'clay']}", NOTE)
    assert parsed.value == {"context": "a kiln", "keywords": ["kiln", "clay"]}
    assert parsed.repairs == ("syntax",)


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ('{"links": ["n1", "n2", "n', ["n1", "n2"]),
        ('{"links": ["n1", "n2",', ["n1", "n2"]),
        ('{"links": ["n1", "n2"', ["n1", "n2"]),
        ('{"links": ["n1", ', ["n1"]),
        ('{"links": ["n1"]', ["n1"]),
        ('{"links": ["a, b]", "n', ["a, b]"]),
    ],
)
def test_a_cut_off_array_keeps_its_finished_elements(text, links):
    parsed = parse(text, LINKS)
    assert parsed.value["links"] == links
    assert parsed.repairs == ("cut_off",)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I would link n1 and n2.",
        '{"links": [',
        '{"links": ["n1',
        '{"links": ',
        '{"links": }',
        '{"links": "n1"}',
        '{"links": [1.5, null]}',
        '{"links": ["n1"], "more": 1}',
        '{"links": NaN}',
        '["n1", "n2"]',
        '{"links": ["\\ud800"]}',
        "[" * 100_000,
        '{"a":' * 100_000,
        "```json\n```",
        "{{{{",
        "}]",
        "'",
    ],
)
def test_what_would_have_to_be_invented_is_refused(text):
    with pytest.raises(SchemaError):
        parse(text, LINKS)


def test_a_cut_off_text_is_not_completed():
    with pytest.raises(SchemaError):
        parse('{"keywords": ["kiln"], "context": "Ines bou', NOTE)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"page": "3"}', {"page": 3}),
        ('{"update": "True"}', {"update": True}),
        ('{"share": "0.5"}', {"share": 0.5}),
    ],
)
def test_scalars_of_a_wrong_type_are_turned(text, value):
    parsed = parse(text, CHOICE)
    assert parsed.value == value and type(next(iter(parsed.value.values()))) is type(next(iter(value.values())))
    assert parsed.repairs == ("scalar_type",)


@pytest.mark.parametrize("text", ['{"page": "three"}', '{"page": "3.5"}', '{"update": "maybe"}', '{"page": null}'])
def test_scalars_that_say_something_else_are_refused(text):
    with pytest.raises(SchemaError, match=r"at \$\."):
        parse(text, CHOICE)


def test_numbers_where_text_is_asked_for_keep_their_spelling():
    assert parse('{"context": 7, "keywords": [2023, true]}', NOTE).value == {
        "context": "7",
        "keywords": ["2023", "true"],
    }


JSON_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NOTES = st.fixed_dictionaries({"context": JSON_TEXT, "keywords": st.lists(JSON_TEXT, max_size=4)})


@given(NOTES, st.booleans(), st.sampled_from([None, 2]))
def test_valid_json_passes_unchanged(value, ascii_only, indent):
    parsed = parse(json.dumps(value, ensure_ascii=ascii_only, indent=indent), NOTE)
    assert parsed.value == value and parsed.repairs == ()


@given(st.one_of(st.text(max_size=80), st.text("{}[]\"':,\\ntru1e`json ", max_size=60)))
def test_repair_gives_a_value_that_fits_or_a_schema_error(text):
    try:
        value = parse(text, NOTE).value
    except SchemaError:
        return
    assert set(value) == {"context", "keywords"}


@given(NOTES, st.data())
def test_a_reply_cut_anywhere_never_gains_a_keyword(value, data):
    text = json.dumps(value, ensure_ascii=False)
    cut = text[: data.draw(st.integers(0, len(text)))]
    try:
        parsed = parse(cut, NOTE)
    except SchemaError:
        return
    assert parsed.value["context"] == value["context"]
    assert parsed.value["keywords"] == value["keywords"][: len(parsed.value["keywords"])]


@given(NOTES, st.sampled_from(["```json\n{}\n```", "Here: {} ok", "{},", "{}\n{}"]))
def test_text_around_a_reply_changes_nothing_in_it(value, around):
    body = json.dumps(value, ensure_ascii=False)
    assert parse(around.replace("{}", body), NOTE).value == value


LIMITED = {
    "type": "object",
    "properties": {
        "context": {"type": "string", "maxLength": 5},
        "tags": {"type": "array", "items": {"type": "string", "maxLength": 3}},
    },
}


@pytest.mark.parametrize(
    ("value", "filled"),
    [
        ({"context": "four", "tags": ["ab"]}, False),
        ({"context": "fiver"}, True),
        ({"context": "four", "tags": ["ab", "abc"]}, True),
        ({"free": "much longer than any limit"}, False),
    ],
)
def test_a_string_that_is_as_long_as_its_schema_allows_fills_a_limit(value, filled):
    assert fills_a_limit(value, LIMITED) is filled
