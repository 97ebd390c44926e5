"""The real embedded model: valid replies, true counts, and the same bytes every time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from amem.lm.providers.embedded import EmbeddedProvider
from amem.lm.types import FailureKind, Message, ModelFailure, Request, Sampling

pytestmark = pytest.mark.embedded

SCHEMA = {
    "type": "object",
    "properties": {
        "keywords": {"type": "array", "items": {"type": "string", "maxLength": 12}, "minItems": 1, "maxItems": 3},
        "mood": {"enum": ['"so-so"', "gut — très"]},
        "count": {"type": "integer"},
        "sure": {"type": "boolean"},
        "none": {"type": "array", "items": {"type": "integer"}, "maxItems": 0},
    },
    "required": ["keywords", "mood", "count", "sure", "none"],
}
SYSTEM = Message("system", "Describe what is said, in JSON.")
EXAMPLE = (
    Message("user", "Nora: My hens laid nine eggs."),
    Message("assistant", '{"keywords":["hens","eggs"],"mood":"gut — très","count":9,"sure":true,"none":[]}'),
)
SAID = ["Otto: Two buses were late.", "Lia: I planted a fig tree.", "Nora: The roof leaks again, and it rains. " * 4]


def ask(text: str, *, temperature: float = 0.0, repeat: int = 0, head: bool = True, **sampling: Any) -> Request:
    messages = (SYSTEM, *EXAMPLE, Message("user", text)) if head else (Message("user", text),)
    values: dict[str, Any] = {"temperature": temperature, "top_p": 1.0, "max_tokens": 120, "seed": 3} | sampling
    return Request(messages, "test", SCHEMA, Sampling(**values), repeat)


REQUESTS = [
    ask(text, temperature=t, head=head) for text in SAID for t, head in [(0.0, True), (0.9, True), (0.0, False)]
]


def replies(provider: EmbeddedProvider, requests: list[Request], threads: int = 1) -> list[str]:
    with ThreadPoolExecutor(threads) as pool:
        return [reply.text for reply in pool.map(provider.complete, requests)]


@pytest.fixture(scope="module")
def provider() -> Iterator[EmbeddedProvider]:
    provider = EmbeddedProvider(workers=1)
    yield provider
    provider.close()


@pytest.fixture(scope="module")
def alone(provider: EmbeddedProvider) -> list[str]:
    return replies(provider, REQUESTS)


def test_replies_fit_the_schema_and_have_no_free_whitespace(alone: list[str]) -> None:
    for text in alone:
        value = json.loads(text)
        jsonschema.validate(value, SCHEMA)
        assert text == json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def test_requests_in_another_order_give_the_same_bytes(provider: EmbeddedProvider, alone: list[str]) -> None:
    assert replies(provider, REQUESTS[::-1]) == alone[::-1]


@pytest.mark.parametrize("workers", [2, 3])
def test_any_number_of_workers_gives_the_same_bytes(workers: int, alone: list[str]) -> None:
    other = EmbeddedProvider(workers=workers)
    try:
        assert replies(other, REQUESTS, threads=6) == alone
    finally:
        other.close()


def test_a_head_that_is_evaluated_anew_gives_the_same_bytes(
    provider: EmbeddedProvider, alone: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("amem.lm.providers._heads.LARGEST", 0)
    other = EmbeddedProvider(workers=1)
    try:
        assert replies(other, REQUESTS[:6] + REQUESTS[:2]) == alone[:6] + alone[:2]
    finally:
        other.close()


def test_a_head_whose_file_is_gone_gives_the_same_bytes(alone: list[str]) -> None:
    other = EmbeddedProvider(workers=1)
    try:
        assert replies(other, REQUESTS[:1]) == alone[:1]
        assert other._scratch
        for file in Path(other._scratch.name).iterdir():
            file.unlink()
        assert replies(other, REQUESTS[:2]) == alone[:2]
    finally:
        other.close()


def test_repeats_at_a_temperature_differ(provider: EmbeddedProvider) -> None:
    said = {provider.complete(ask(SAID[1], temperature=1.2, repeat=i)).text for i in range(3)}
    assert len(said) > 1


def test_counts_are_the_model_s_own(provider: EmbeddedProvider) -> None:
    request = ask(SAID[0])
    reply = provider.complete(request)
    assert provider.count_prompt(request) == reply.usage.prompt_tokens
    chat = "".join(f"<|im_start|>{m.role}\n{m.content}<|im_end|>\n" for m in request.messages)
    assert provider.count_tokens(f"{chat}<|im_start|>assistant\n") == reply.usage.prompt_tokens


def test_a_reply_cut_by_max_tokens_says_so(provider: EmbeddedProvider) -> None:
    reply = provider.complete(ask(SAID[0], max_tokens=4))
    assert (reply.finish_reason, reply.usage.completion_tokens) == ("length", 4)


def test_a_stop_string_ends_the_reply(provider: EmbeddedProvider) -> None:
    request = Request((Message("user", "Tell me a story about a fox."),), "test", None, Sampling(0.0, 1.0, 30, 1))
    whole = provider.complete(request).text
    word = whole.split()[3]
    stopped = Request(request.messages, "test", None, Sampling(0.0, 1.0, 30, 1, (word,)))
    assert provider.complete(stopped).text == whole[: whole.index(word)]


@pytest.mark.parametrize("head", [True, False])
def test_a_prompt_beyond_the_context_is_an_overflow_with_its_sizes(provider: EmbeddedProvider, head: bool) -> None:
    with pytest.raises(ModelFailure) as caught:
        provider.complete(ask("and so on " * 3000, head=head))
    assert caught.value.kind is FailureKind.CONTEXT_OVERFLOW
    assert caught.value.details == {
        "prompt_tokens": provider.count_prompt(ask("and so on " * 3000, head=head)),
        "window": 8192,
    }


def test_an_unsupported_schema_is_a_bad_request(provider: EmbeddedProvider) -> None:
    request = Request((Message("user", "Hi"),), "test", {"type": "number"}, REQUESTS[0].sampling)
    with pytest.raises(ModelFailure, match="type 'number' is not supported") as caught:
        provider.complete(request)
    assert caught.value.kind is FailureKind.BAD_REQUEST


def test_a_closed_provider_starts_again(alone: list[str]) -> None:
    other = EmbeddedProvider(workers=1)
    assert replies(other, REQUESTS[:1]) == alone[:1]
    other.close()
    assert replies(other, REQUESTS[:1]) == alone[:1]
    other.close()
