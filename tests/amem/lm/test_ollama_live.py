"""Opt-in: a real Ollama server (OLLAMA_LIVE=1; OLLAMA_HOST and OLLAMA_MODEL name others than the usual)."""

from __future__ import annotations

import os

import pytest

from amem.lm.build import build_model, check_backbone
from amem.lm.records import RecordStore
from amem.lm.types import FailureKind, Message, ModelFailure, Request

pytestmark = [
    pytest.mark.ollama,
    pytest.mark.skipif(os.environ.get("OLLAMA_LIVE") != "1", reason="needs a real Ollama server: set OLLAMA_LIVE=1"),
]
SPEC = {
    "_target_": "amem.lm.providers.litellm.LiteLLMProvider",
    "label": "live",
    "sampling": {"temperature": 0.0, "top_p": 0.9, "max_tokens": 40},
    "prices": {"input_per_million": 0.0, "output_per_million": 0.0},
    "settings": {
        "model": f"ollama_chat/{os.environ.get('OLLAMA_MODEL', 'qwen2.5:1.5b')}",
        "num_ctx": 8192,
        "tokens_factor": 1.05,
        "truncation_share": 0.85,
    },
}
SCHEMA = {
    "type": "object",
    "properties": {"colour": {"type": "string"}},
    "required": ["colour"],
    "additionalProperties": False,
}


def ask(filler: str = "") -> Request:
    text = f"The door is red. {filler}What colour is the door? Reply in JSON with the key colour."
    return Request((Message("user", text),), "live", SCHEMA)


def model(**settings):
    spec = {**SPEC, "settings": {**SPEC["settings"], **settings}}
    return build_model(spec, store=RecordStore(":memory:"), seed=1)


def test_the_server_is_ready():
    assert check_backbone(SPEC) == []


def test_a_schema_is_kept_and_a_seed_repeats_the_reply():
    first, second = model().complete(ask()), model().complete(ask())
    assert "red" in first.parsed["colour"].lower()
    assert first.text == second.text and model().identity["digest"]


def test_a_prompt_of_thousands_of_tokens_arrives_whole():
    completion = model().complete(ask("There is a house by the sea. " * 800))
    assert completion.usage.prompt_tokens > 5_000


def test_a_window_smaller_than_the_prompt_is_noticed():
    small = model()
    small._provider._num_ctx = 512  # what the guard does not know of, as with a server that ignores num_ctx
    with pytest.raises(ModelFailure) as caught:
        small.complete(ask("There is a house by the sea. " * 400))
    assert caught.value.kind is FailureKind.TRUNCATED_PROMPT
