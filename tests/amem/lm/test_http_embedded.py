"""The embedded model behind the emulated protocols: a real model's replies and counts, over HTTP, by real clients."""

from __future__ import annotations

import pytest

from amem.lm.build import build_model
from amem.lm.providers.embedded import EmbeddedProvider
from amem.lm.records import RecordStore
from amem.lm.types import Message, Request
from tests.servers.emulation import Emulation
from tests.servers.engine import ProviderEngine

SAMPLING = {"temperature": 0.0, "top_p": 1.0, "max_tokens": 24}
FREE = {"input_per_million": 0.0, "output_per_million": 0.0}
SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string"}},
    "required": ["answer"],
    "additionalProperties": False,
}
REQUEST = Request((Message("user", "Ines bought a red kiln. What did she buy?"),), "answer_short", SCHEMA)


@pytest.fixture(scope="module")
def embedded():
    provider = EmbeddedProvider(workers=1)
    yield provider
    provider.close()


def model(target: str, settings: dict):
    spec = {"_target_": target, "label": "served", "sampling": SAMPLING, "prices": FREE, "settings": settings}
    return build_model(spec, store=RecordStore(":memory:"), seed=3)


@pytest.mark.embedded
@pytest.mark.parametrize("route", ["ollama_chat/qwen2.5:1.5b", "openai/served"])
def test_a_served_model_says_and_counts_what_it_says_and_counts_in_process(embedded, route):
    target = "amem.lm.providers.litellm.LiteLLMProvider"
    with Emulation(ProviderEngine(embedded)) as server:
        local = {"num_ctx": 8192} if route.startswith("ollama") else {"window": 8192}
        base = server.url if route.startswith("ollama") else f"{server.url}/v1"
        served = model(target, {"model": route, "api_base": base, "timeout": 120.0, **local}).complete(REQUEST)
    direct = model("amem.lm.providers.embedded.EmbeddedProvider", {"workers": 1}).complete(REQUEST)
    assert served.text == direct.text and served.parsed == direct.parsed
    assert served.usage.prompt_tokens == direct.usage.prompt_tokens
    assert served.usage.completion_tokens == direct.usage.completion_tokens
