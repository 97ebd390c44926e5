"""The real litellm and openai clients, over real sockets, against the emulation of both protocols."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
import yaml

from amem.errors import ConfigurationError
from amem.lm.build import build_model, check_backbone
from amem.lm.ledger import collecting
from amem.lm.records import RecordStore
from amem.lm.types import FailureKind, Message, ModelFailure, Request, Sampling
from tests.servers.emulation import Emulation
from tests.servers.faults import Fault, broken, rate_limited
from tests.support import NO_WAITING

CONFIGS = Path(__file__).parents[3] / "configs" / "backbone"
KEY = "planted-key-0123456789abcdef"
SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string", "maxLength": 200}},
    "required": ["answer"],
    "additionalProperties": False,
}
GOOD = '{"answer": "a kiln"}'


def ask(text: str = "What arrived?", schema=SCHEMA, **options) -> Request:
    return Request((Message("system", "Answer."), Message("user", text)), "answer_short", schema, **options)


def spec_of(name: str, server: Emulation, **settings):
    spec = yaml.safe_load((CONFIGS / f"{name}.yaml").read_text("utf-8"))
    path = "/v1" if name.startswith("gpt") else ""
    spec["settings"] |= {"api_base": server.url + path, "timeout": 5.0, **settings}
    return spec


def build(name: str, server: Emulation, store=None, **settings):
    spec = spec_of(name, server, **settings)
    return build_model(spec, store=store or RecordStore(":memory:"), seed=5, retry=NO_WAITING)


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def test_ollama_gets_window_seed_temperature_and_schema_on_its_native_route():
    with Emulation(lambda asked: GOOD) as server, build("qwen2.5-1.5b", server) as model:
        completion = model.complete(ask(sampling=Sampling(temperature=0.2, max_tokens=99, stop=("END",))))
    (chat,) = server.chats
    assert chat.path == "/api/chat" and "content-type" not in chat.headers
    assert chat.body["options"] == {
        "temperature": 0.2, "top_p": 0.9, "num_predict": 99, "seed": 5, "stop": ["END"], "num_ctx": 32_768,
    }  # fmt: skip
    assert chat.body["format"] == SCHEMA and chat.body["stream"] is False
    assert chat.body["model"] == "qwen2.5:1.5b"
    assert completion.parsed == {"answer": "a kiln"}
    assert completion.usage.prompt_tokens > 0 and completion.usd == 0


def test_openai_gets_a_strict_schema_seed_and_max_completion_tokens():
    with Emulation(lambda asked: GOOD, key=KEY) as server, build("gpt-4o-mini", server) as model:
        completion = model.complete(ask())
    (chat,) = server.chats
    sent = chat.body
    assert chat.path == "/v1/chat/completions"
    assert (sent["model"], sent["seed"], sent["max_completion_tokens"]) == ("gpt-4o-mini-2024-07-18", 5, 1000)
    assert sent["temperature"] == 0.7 and "max_tokens" not in sent
    schema = sent["response_format"]["json_schema"]
    assert schema["strict"] is True and "maxLength" not in schema["schema"]["properties"]["answer"]
    assert completion.facts == {"model": "gpt-4o-mini-2024-07-18", "fingerprint": "fp_emulated"}
    usage = completion.usage
    assert completion.usd == pytest.approx((usage.prompt_tokens * 0.15 + usage.completion_tokens * 0.6) / 1e6)


def test_the_digest_of_the_tag_is_part_of_the_identity():
    with Emulation(lambda asked: GOOD) as server:
        first = build("qwen2.5-1.5b", server).complete(ask())
        server.models["qwen2.5:1.5b"] = "b2" * 32
        second = build("qwen2.5-1.5b", server).complete(ask())
    assert first.key != second.key


def test_replay_needs_no_server_and_no_key(monkeypatch):
    store = RecordStore(":memory:")
    with Emulation(lambda asked: GOOD) as server:
        recorded = [build(name, server, store).complete(ask()) for name in ("qwen2.5-1.5b", "gpt-4o")]
    monkeypatch.delenv("OPENAI_API_KEY")
    for name, before in zip(("qwen2.5-1.5b", "gpt-4o"), recorded, strict=True):
        spec = yaml.safe_load((CONFIGS / f"{name}.yaml").read_text("utf-8"))
        again = build_model(spec, store=store, seed=5, records_only=True).complete(ask())
        assert again.from_records and again.parsed == before.parsed and again.key == before.key


def test_replay_without_a_noted_digest_says_so():
    spec = yaml.safe_load((CONFIGS / "llama3.2-1b.yaml").read_text("utf-8"))
    with pytest.raises(ConfigurationError, match=r"which build of llama3\.2:1b"):
        build_model(spec, store=RecordStore(":memory:"), records_only=True)


@pytest.mark.parametrize("name", ["qwen2.5-1.5b", "gpt-4o-mini"])
@pytest.mark.parametrize(
    "fault",
    [rate_limited("0.01"), broken(500), broken(503), Fault(body="{not json"), Fault(cut=True), broken(408)],
    ids=["429", "500", "503", "no json", "cut connection", "408"],
)
def test_passing_faults_are_asked_again_and_success_is_not(name, fault):
    with Emulation(lambda asked: GOOD, faults=[fault]) as server, build(name, server) as model:
        assert model.complete(ask()).parsed == {"answer": "a kiln"}
        assert len(server.chats) == 2
        model.complete(ask())
        assert len(server.chats) == 2


@pytest.mark.parametrize("name", ["qwen2.5-1.5b", "gpt-4o-mini"])
def test_a_slow_server_is_a_timeout(name):
    server = Emulation(lambda asked: GOOD, faults=[Fault(delay=1.0)] * 9)
    with server, build(name, server, timeout=0.2) as model, pytest.raises(ModelFailure) as caught:
        model.complete(ask())
    assert caught.value.kind is FailureKind.TIMEOUT and model.ledger.by_purpose()["answer_short"].retries == 5


@pytest.mark.parametrize("name", ["qwen2.5-1.5b", "gpt-4o-mini"])
def test_retry_after_is_waited_for(name):
    with Emulation(lambda asked: GOOD, faults=[rate_limited("0.4")]) as server, build(name, server) as model:
        started = time.monotonic()
        model.complete(ask())
    assert time.monotonic() - started >= 0.4


def test_retry_is_bounded_and_the_failure_is_recorded_with_its_kind():
    store = RecordStore(":memory:")
    server = Emulation(lambda asked: GOOD, faults=[broken(500)] * 6)
    with server, build("gpt-4o-mini", server, store) as model:
        with pytest.raises(ModelFailure) as caught, collecting() as calls:
            model.complete(ask())
        assert (caught.value.kind, len(server.chats)) == (FailureKind.SERVER, 6)
        assert [call.failure for call in calls] == ["server"]
        assert model.complete(ask()).parsed, "a failure that may pass is asked again by the next run"
        assert not model.complete(ask("other")).from_records


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (broken(400), FailureKind.BAD_REQUEST),
        (
            Fault(status=400, body='{"error": {"message": "x", "code": "context_length_exceeded", "type": "t"}}'),
            FailureKind.CONTEXT_OVERFLOW,
        ),
        (
            Fault(status=400, body='{"error": {"message": "This model\'s maximum context length is 9", "type": "t"}}'),
            FailureKind.CONTEXT_OVERFLOW,
        ),
        (
            Fault(status=400, body='{"error": {"message": "blocked", "code": "content_filter", "type": "t"}}'),
            FailureKind.REFUSAL,
        ),
        (Fault(refusal="I can't help with that."), FailureKind.REFUSAL),
        (Fault(finish_reason="content_filter"), FailureKind.REFUSAL),
        (Fault(text=""), FailureKind.EMPTY),
        (Fault(text='{"answer": "a ki', finish_reason="length"), FailureKind.SCHEMA),
        (Fault(prompt_tokens=2), FailureKind.TRUNCATED_PROMPT),
    ],
)
def test_final_faults_are_failures_of_their_kind_and_not_asked_again(fault, kind):
    with Emulation(lambda asked: GOOD, faults=[fault]) as server, build("gpt-4o-mini", server) as model:
        with pytest.raises(ModelFailure) as caught:
            model.complete(ask("What arrived, and when, and who had ordered it? " * 3))
        assert caught.value.kind is kind and caught.value.purpose == "answer_short"
    assert len(server.chats) == 1


def test_a_window_that_the_server_does_not_keep_is_noticed():
    server = Emulation(lambda asked: GOOD)
    text = "word " * 6000
    with server, build("qwen2.5-1.5b", server) as model:
        assert model.complete(ask(text)).parsed
        # A server that ignores num_ctx falls back to its default of 4,096.
        server.plan = type(server.plan)([Fault(prompt_tokens=4096)])
        with pytest.raises(ModelFailure, match="cut the prompt") as caught, collecting() as calls:
            model.complete(ask("again " + text))
    assert caught.value.kind is FailureKind.TRUNCATED_PROMPT
    assert caught.value.details["prompt_tokens"] == 4096 and caught.value.details["sent_tokens"] > 6000
    assert calls[0].prompt_tokens == 4096 and calls[0].failure == "truncated_prompt"


def test_a_prompt_that_can_not_fit_is_never_sent():
    with Emulation(lambda asked: GOOD) as server, build("qwen2.5-1.5b", server, num_ctx=2048) as model:
        with pytest.raises(ModelFailure, match="exceed the window of 2048") as caught:
            model.complete(ask("word " * 1500))
        assert caught.value.details["window"] == 2048
    assert server.chats == []


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (broken(401), "refuses the key"),
        (broken(404), "no such model"),
        (
            Fault(status=429, body='{"error": {"message": "You exceeded your current quota", "type": "t"}}'),
            "no credit",
        ),
    ],
)
def test_what_no_retry_can_cure_stops_the_run(fault, message):
    server = Emulation(lambda asked: GOOD, faults=[fault])
    with server, build("gpt-4o-mini", server) as model, pytest.raises(ConfigurationError, match=message):
        model.complete_many([ask(), ask("other")])


def test_no_key_is_sent_to_a_server_that_none_is_named_for():
    with Emulation(lambda asked: GOOD) as server:
        spec = spec_of("gpt-4o-mini", server, key=None)
        build_model(spec, store=RecordStore(":memory:")).complete(ask())
    assert KEY not in json.dumps(server.chats[0].headers)


def test_check_says_what_to_do():
    with Emulation(lambda asked: GOOD, models={}) as server:
        assert "ollama pull qwen2.5:1.5b" in check_backbone(spec_of("qwen2.5-1.5b", server))[0]
        server.version = "0.4.7"
        assert "update it" in check_backbone(spec_of("qwen2.5-1.5b", server))[0]
    assert "ollama serve" in check_backbone(spec_of("qwen2.5-1.5b", server))[0]


def test_a_window_beyond_what_the_model_was_made_for_is_refused_before_any_call():
    with Emulation(lambda asked: GOOD, context_length=8192) as server:
        with pytest.raises(ConfigurationError, match="num_ctx to 8192 or less"):
            build("qwen2.5-1.5b", server)
        assert "8192" in check_backbone(spec_of("qwen2.5-1.5b", server))[0]


def test_a_server_without_token_counts_is_refused_unless_it_is_said_that_it_cuts_nothing():
    with Emulation(lambda asked: GOOD, faults=[Fault(prompt_tokens=0)] * 2) as server:
        with build("gpt-4o-mini", server) as model, pytest.raises(ConfigurationError, match="no token counts"):
            model.complete(ask())
        with build("gpt-4o-mini", server, truncation_share=None) as model:
            usage = model.complete(ask()).usage
    assert usage.prompt_tokens == model.count_tokens("Answer.") + model.count_tokens("What arrived?")
    assert usage.completion_tokens == model.count_tokens(GOOD)


def test_check_names_the_variable_of_a_missing_key(monkeypatch):
    spec = yaml.safe_load((CONFIGS / "gpt-4o.yaml").read_text("utf-8"))
    assert check_backbone(spec) == []
    monkeypatch.delenv("OPENAI_API_KEY")
    (line,) = check_backbone(spec)
    assert "OPENAI_API_KEY" in line


def test_a_key_that_is_missing_when_a_call_is_made_stops_the_run_and_is_not_retried(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    spec = yaml.safe_load((CONFIGS / "gpt-4o.yaml").read_text("utf-8"))
    refused = pytest.raises(ConfigurationError, match="refuses the key, or there is none")
    with build_model(spec, store=RecordStore(":memory:")) as model, refused:
        model.complete(ask())
