"""Replies of a dry run: they fit the schema, have the length that is wanted, and are the same each time."""

from __future__ import annotations

import json

import pytest
from jsonschema import validate

from amem import tokens
from amem.lm.records import RecordStore
from amem.lm.types import Message, Reply, Request, Usage
from eval.estimate.replies import made_reply
from eval.estimate.shapes import Shape, assumed, measured
from tests.support import scripted_model

SCHEMA = {
    "type": "object",
    "properties": {
        "update": {"type": "boolean"},
        "context": {"type": "string"},
        "keywords": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["update", "context", "keywords"],
}


def request(text: str, schema: dict | None = SCHEMA) -> Request:
    return Request((Message("user", f"{text}: some lines that give the reply its words"),), "note_evolve", schema)


@pytest.mark.parametrize("wanted", [25, 50, 200])
@pytest.mark.parametrize("schema", [SCHEMA, None])
def test_replies_have_the_wanted_length_on_average(wanted: int, schema: dict | None) -> None:
    shape = Shape(tokens=wanted, items={"keywords": 2.5})
    lengths = [tokens.count(made_reply(request(str(i), schema), shape, tokens.count)) for i in range(40)]
    assert sum(lengths) / len(lengths) == pytest.approx(wanted, rel=0.12)


def test_replies_fit_the_schema_and_are_the_same_each_time() -> None:
    text = made_reply(request("one"), Shape(60), tokens.count)
    validate(json.loads(text), SCHEMA)
    assert text == made_reply(request("one"), Shape(60), tokens.count)


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_yes_is_said_as_often_as_it_was(share: float) -> None:
    said = [json.loads(made_reply(request(str(i)), Shape(40, share), tokens.count))["update"] for i in range(10)]
    assert said == [share == 1.0] * 10


def test_a_whole_reply_is_drawn_only_where_it_fits() -> None:
    fitting = '{"update": true, "context": "", "keywords": []}'
    shape = Shape(40, texts=("no JSON", '{"update": 1}', fitting))
    assert made_reply(request("one"), shape, tokens.count) == fitting


def test_shapes_are_measured_where_there_are_enough_replies() -> None:
    text = '{"update": true, "keywords": ["a", "b", "c"]}'
    replies = [("note_evolve", Reply(text, Usage(100, 40), 2.0))] * 10 + [("note_link", Reply("{}", Usage(1, 1), 1.0))]
    assert measured(replies) == {"note_evolve": Shape(40, 1.0, {"keywords": 3.0}, (), 2.0, 10)}


def test_a_purpose_that_nobody_thought_of_has_a_shape() -> None:
    assert assumed("something_new").tokens > 0


def test_recorded_replies_are_found_by_the_identity_of_their_provider() -> None:
    store = RecordStore(":memory:")
    model = scripted_model(lambda asked: "said", store=store)
    model.complete(request("x", None))
    assert [(purpose, reply.text) for purpose, reply in store.replies_of(model.identity)] == [("note_evolve", "said")]
    assert store.replies_of({**model.identity, "model": "another"}) == []
