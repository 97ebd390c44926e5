"""Replies of a dry run: they fit the schema, have the length that is wanted, and are the same each time."""

from __future__ import annotations

import json

import pytest
from jsonschema import validate

from amem import tokens
from amem.lm.providers.from_schema import FromSchemaProvider
from amem.lm.records import Recorded, RecordStore
from amem.lm.types import Message, Reply, Request, Sampling, Usage
from eval.estimate.model import DryProvider, RoundsModel
from eval.estimate.replies import made_reply
from eval.estimate.shapes import Shape, assumed, measured, schema_key
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


SCHEMA_OF_TWO = {"type": "object", "required": ["update", "keywords"]}


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
    replies = [Recorded("note_evolve", SCHEMA_OF_TWO, Reply(text, Usage(100, 40), 2.0))] * 10
    replies.append(Recorded("note_link", None, Reply("{}", Usage(1, 1), 1.0)))
    assert measured(replies) == {"note_evolve": Shape(40, 1.0, {"keywords": 3.0}, (), 2.0, 10)}


def test_texts_are_no_longer_than_the_schema_allows() -> None:
    schema = {"type": "object", "properties": {"answer": {"type": "string", "maxLength": 20}}, "required": ["answer"]}
    for number in range(20):
        validate(json.loads(made_reply(request(str(number), schema), Shape(200), tokens.count)), schema)


def test_of_branches_the_one_that_says_what_is_said_mostly_is_taken() -> None:
    branches = [{"type": "object", "properties": {"update": {"enum": [said]}}} for said in (False, True)]
    for share in (0.0, 1.0):
        made = made_reply(request("one", {"anyOf": branches}), Shape(40, share), tokens.count)
        assert json.loads(made) == {"update": share == 1.0}


def test_a_whole_reply_is_preferably_one_that_was_given_to_the_same_schema() -> None:
    other = {**SCHEMA, "description": "another"}
    texts = tuple(json.dumps({"update": True, "context": name, "keywords": []}) for name in ("this", "that"))
    shape = Shape(40, texts=texts, schemas=(schema_key(SCHEMA), schema_key(other)))
    assert {made_reply(request(str(i), other), shape, tokens.count) for i in range(10)} == {texts[1]}


def test_useless_replies_are_counted_and_their_second_questions_estimated() -> None:
    good, bad = Reply('{"update": true, "keywords": []}', Usage(9, 9), 1.0), Reply("I would say so", Usage(9, 9), 1.0)
    shapes = measured([Recorded("note_evolve", SCHEMA_OF_TWO, reply) for reply in [good] * 10 + [bad] * 5])
    assert shapes["note_evolve"].asked_again == 0.5
    sampling = Sampling(0.0, 1.0, 100, 0)
    model = RoundsModel(DryProvider(FromSchemaProvider(), shapes), 1, sampling=sampling, reask=lambda error: error)
    for number in range(40):
        model.complete(request(str(number)))
    assert 50 <= model.ledger.by_purpose()["note_evolve"].calls <= 70


def test_a_purpose_that_nobody_thought_of_has_a_shape() -> None:
    assert assumed("something_new").tokens > 0


def test_recorded_replies_are_found_by_the_identity_of_their_provider() -> None:
    store = RecordStore(":memory:")
    model = scripted_model(lambda asked: "said", store=store)
    model.complete(request("x", None))
    (found,) = store.replies_of(model.identity)
    assert (found.purpose, found.schema, found.reply.text) == ("note_evolve", None, "said")
    assert store.replies_of({**model.identity, "model": "another"}) == []
