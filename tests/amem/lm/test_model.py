from __future__ import annotations

import threading
import time

import pytest

from amem.errors import ConfigurationError
from amem.lm.ledger import collecting
from amem.lm.records import RecordStore
from amem.lm.retry import RetryPolicy
from amem.lm.types import FailureKind, Message, ModelFailure, Reply, Request, Sampling, Usage
from tests.support import scripted_model

SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string"}},
    "required": ["answer"],
    "additionalProperties": False,
}


def ask(text: str = "hello", *, purpose: str = "answer", schema=None, **options) -> Request:
    return Request((Message("user", text),), purpose, schema, **options)


class Counting:
    """A script that counts how often it is asked."""

    def __init__(self, *replies):
        self.replies = replies
        self.requests: list[Request] = []

    def __call__(self, request):
        self.requests.append(request)
        return self.replies[min(len(self.requests), len(self.replies)) - 1]


def test_a_reply_is_asked_for_once():
    script = Counting("red")
    model = scripted_model(script)
    first, second = model.complete(ask()), model.complete(ask())
    assert (first.text, first.from_records) == ("red", False)
    assert (second.text, second.from_records) == ("red", True)
    assert first.key == second.key and len(script.requests) == 1


def test_purpose_is_not_part_of_the_key():
    model = scripted_model(Counting("red"))
    assert model.complete(ask(purpose="a")).key == model.complete(ask(purpose="b")).key


def test_defaults_are_filled_before_hashing_and_the_requests_own_values_win():
    script = Counting("red")
    model = scripted_model(script, sampling=Sampling(0.5, 0.9, 64, 7))
    model.complete(ask(sampling=Sampling(temperature=0)))
    assert script.requests[0].sampling == Sampling(0, 0.9, 64, 7)
    same = scripted_model(script, sampling=Sampling(0.0, 0.9, 64, 7)).complete(ask())
    assert same.key == model.complete(ask(sampling=Sampling(temperature=0.0))).key


def test_defaults_with_a_hole_are_refused():
    with pytest.raises(ConfigurationError, match="max_tokens"):
        scripted_model(Counting("red"), sampling=Sampling(0.0, 1.0, None, 0))


def test_repaired_reply_says_what_was_mended():
    completion = scripted_model(Counting('```json\n{"answer": "red"}\n```')).complete(ask(schema=SCHEMA))
    assert completion.parsed == {"answer": "red"}
    assert completion.repairs == ("code_fence",)


def test_bad_reply_is_asked_for_once_more_with_the_error():
    script = Counting("red, I think", '{"answer": "red"}')
    model = scripted_model(script, reask=lambda error: f"Wrong: {error}")
    with collecting() as calls:
        completion = model.complete(ask(schema=SCHEMA))
    assert completion.parsed == {"answer": "red"} and completion.repairs == ("asked_again",)
    roles = [m.role for m in script.requests[1].messages]
    assert roles == ["user", "assistant", "user"]
    assert script.requests[1].messages[1].content == "red, I think"
    assert script.requests[1].messages[2].content.startswith("Wrong: the reply does not fit its schema")
    assert script.requests[1].sampling == script.requests[0].sampling
    assert [(c.failure, c.repairs) for c in calls] == [(None, ("asked_again",)), (None, ())]


def test_second_bad_reply_is_a_failure_with_its_raw_text():
    model = scripted_model(Counting("no", "never"), reask=lambda error: error)
    with collecting() as calls, pytest.raises(ModelFailure) as caught:
        model.complete(ask(schema=SCHEMA))
    assert caught.value.kind is FailureKind.SCHEMA
    assert caught.value.raw == "never" and caught.value.purpose == "answer"
    assert [c.failure for c in calls] == [None, "schema"]


def test_no_room_to_ask_again_leaves_the_schema_failure():
    model = scripted_model(Counting("no " * 200), reask=lambda error: error, window=320)
    with pytest.raises(ModelFailure) as caught:
        model.complete(ask(schema=SCHEMA))
    assert caught.value.kind is FailureKind.SCHEMA


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply("", Usage(3, 0), 0.1), FailureKind.EMPTY),
        (Reply(" \n", Usage(3, 1), 0.1, "length"), FailureKind.EMPTY),
        (Reply("I can", Usage(3, 1), 0.1, "content_filter"), FailureKind.REFUSAL),
        (Reply('{"answer": "re', Usage(3, 5), 0.1, "length"), FailureKind.SCHEMA),
    ],
)
def test_unusable_replies_are_failures_also_from_records(reply, kind):
    script = Counting(reply)
    model = scripted_model(script)
    for _ in range(2):
        with pytest.raises(ModelFailure) as caught:
            model.complete(ask(schema=SCHEMA))
        assert (caught.value.kind, caught.value.raw) == (kind, reply.text)
    assert len(script.requests) == 1


def test_free_text_that_was_cut_is_used_and_counted():
    completion = scripted_model(Counting(Reply("a long", Usage(3, 2), 0.1, "length"))).complete(ask())
    assert completion.text == "a long" and completion.repairs == ("cut_by_max_tokens",)


def test_a_reply_that_fills_a_length_limit_is_marked_in_the_ledger_alone_also_from_records():
    schema = {"type": "object", "properties": {"answer": {"type": "string", "maxLength": 3}}}
    model = scripted_model(Counting('{"answer": "red"}'))
    with collecting() as calls:
        completions = [model.complete(ask(schema=schema)) for _ in range(2)]
    assert [call.repairs for call in calls] == [("filled_length_limit",)] * 2
    assert [completion.repairs for completion in completions] == [(), ()]


def test_records_only_names_what_is_missing_and_asks_nothing(tmp_path):
    script = Counting("red")
    with RecordStore(tmp_path / "records.sqlite") as store:
        scripted_model(script, store=store).complete(ask("known"))
        replay = scripted_model(script, store=store, records_only=True)
        assert replay.complete(ask("known")).from_records
        with pytest.raises(ModelFailure, match="no reply to this note_link request") as caught:
            replay.complete(ask("unknown", purpose="note_link"))
    assert caught.value.kind is FailureKind.NOT_RECORDED and len(caught.value.details["key"]) == 64
    assert len(script.requests) == 1


def test_threads_that_ask_the_same_make_one_call():
    script = Counting("red")
    model = scripted_model(script, latency=0.05, concurrency=8)
    results = model.complete_many([ask()] * 8)
    assert {r.text for r in results} == {"red"} and len(script.requests) == 1


def test_many_come_back_in_order_with_failures_in_their_places():
    def script(request):
        text = request.messages[0].content
        time.sleep(0.02 if text == "0" else 0)
        return ModelFailure(FailureKind.BAD_REQUEST, "no") if text == "1" else text

    model = scripted_model(script, concurrency=4)
    with collecting() as calls:
        results = model.complete_many([ask(str(i), purpose=f"p{i}") for i in range(4)])
    assert [getattr(r, "text", None) for r in results] == ["0", None, "2", "3"]
    assert isinstance(results[1], ModelFailure) and results[1].purpose == "p1"
    assert [c.purpose for c in calls] == ["p0", "p1", "p2", "p3"]


@pytest.mark.parametrize("one_by_one", [False, True])
def test_no_more_calls_at_once_than_the_backbone_allows(one_by_one):
    busy, most, lock = 0, 0, threading.Lock()

    def script(request):
        nonlocal busy, most
        with lock:
            busy += 1
            most = max(most, busy)
        time.sleep(0.01)
        with lock:
            busy -= 1
        return "ok"

    def work(own, requests):
        for request in requests if one_by_one else ():
            own.complete(request)
        own.complete_many(requests)

    model = scripted_model(script, concurrency=3)
    threads = [
        threading.Thread(target=work, args=(model.seeded(t % 2), [ask(f"{t}-{i}") for i in range(4)])) for t in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 3


def test_collecting_blocks_nest():
    model = scripted_model(Counting("ok"))
    with collecting() as outer:
        model.complete(ask("1"))
        with collecting() as inner:
            model.complete(ask("2"))
    assert (len(outer), len(inner)) == (2, 1)


def test_the_ledger_tells_what_was_sent_from_what_was_not():
    def script(request):
        return ModelFailure(FailureKind.BAD_REQUEST, "no") if "bad" in request.messages[0].content else "ok"

    model = scripted_model(script, window=400)
    for text in ("good", "good", "bad", "word " * 500):
        model.complete_many([ask(text)])
    total = model.ledger.by_purpose()["answer"]
    assert (total.calls, total.made, total.from_records) == (4, 2, 1)
    assert total.failures == {"bad_request": 1, "context_overflow": 1}


def test_retries_are_counted():
    faults = iter([ModelFailure(FailureKind.SERVER, "busy"), ModelFailure(FailureKind.TIMEOUT, "slow"), "ok"])
    model = scripted_model(lambda request: next(faults))
    assert model.complete(ask()).text == "ok"
    total = model.ledger.by_purpose()["answer"]
    assert (total.calls, total.made, total.retries) == (1, 1, 2)


def test_a_stopped_model_serves_records_and_sends_nothing():
    script = Counting("red")
    model = scripted_model(script)
    model.complete(ask("known"))
    model.stop()
    assert model.complete(ask("known")).text == "red"
    with pytest.raises(ModelFailure) as caught:
        model.complete(ask("new"))
    assert caught.value.kind is FailureKind.STOPPED and len(script.requests) == 1


def test_stopping_ends_the_wait_for_a_retry():
    model = scripted_model(
        lambda request: ModelFailure(FailureKind.RATE_LIMIT, "later", retry_after=100), retry=RetryPolicy()
    )
    threading.Timer(0.1, model.stop).start()
    started = time.monotonic()
    with pytest.raises(ModelFailure) as caught:
        model.complete(ask())
    assert caught.value.kind is FailureKind.STOPPED and time.monotonic() - started < 10


def test_a_seeded_model_shares_everything_but_the_seed():
    script = Counting("red")
    model = scripted_model(script)
    other = model.seeded(7)
    assert model.complete(ask()).key != other.complete(ask()).key
    assert [request.sampling.seed for request in script.requests] == [0, 7]
    assert other.ledger is model.ledger and model.ledger.by_purpose()["answer"].made == 2
