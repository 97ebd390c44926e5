from __future__ import annotations

import copy
from pathlib import Path

import jsonschema
import pytest
import yaml

from amem.errors import ConfigurationError
from amem.lm.build import build_model, build_provider, check_backbone, prices_of
from amem.lm.records import RecordStore
from amem.lm.types import Message, Request
from amem.prompting.pack import PromptPack
from tests.support import DEFAULT_PACK

SPEC = {
    "_target_": "amem.lm.providers.from_schema.FromSchemaProvider",
    "label": "Scripted",
    "concurrency": 2,
    "sampling": {"temperature": 0.0, "top_p": 1.0, "max_tokens": 64},
    "prices": {"input_per_million": 1.0, "output_per_million": 2.0},
    "settings": {"window": 1000},
}


def changed(**parts):
    spec = copy.deepcopy(SPEC)
    for name, value in parts.items():
        spec[name] = {**spec[name], **value} if isinstance(value, dict) else value
    return spec


def build(spec, **options):
    return build_model(spec, store=RecordStore(":memory:"), **options)


def test_a_model_is_built_with_the_runs_seed_and_the_configured_limits():
    with build(SPEC, seed=11) as model:
        assert (model.window, model.concurrency) == (1000, 2)
        assert model.filled(Request((Message("user", "hi"),), "p")).sampling.seed == 11


def test_usd_follow_the_configured_prices():
    with build(SPEC) as model:
        completion = model.complete(Request((Message("user", "some words of a prompt"),), "p"))
    usage = completion.usage
    assert completion.usd == pytest.approx((usage.prompt_tokens + 2 * usage.completion_tokens) / 1e6)
    assert completion.usd > 0


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (changed(settings={"windw": 5}), "settings.windw is unknown; did you mean window"),
        (changed(_target_="amem.lm.providers.nowhere.Nobody"), "can't be imported"),
        (changed(sampling={"max_tokens": None}), "sampling.max_tokens is not set"),
        (changed(sampling={"temprature": 1}), "sampling.temprature is unknown"),
        (changed(prices={"input_per_million": None}), "no price is known"),
    ],
)
def test_a_wrong_configuration_is_one_clear_line(spec, message):
    with pytest.raises(ConfigurationError, match=message):
        build(spec)
    (line,) = check_backbone(spec)
    assert message.split("can't")[0] in line and "\n" not in line


def test_nothing_is_wrong_with_a_backbone_that_needs_nothing():
    assert check_backbone(SPEC) == []


def test_the_prompt_pack_words_the_second_question():
    with build(SPEC, prompts=PromptPack(DEFAULT_PACK)) as model:
        assert "no links" in model._reask("no links")


def test_made_up_replies_fit_their_schema_and_repeat():
    schema = {
        "type": "object",
        "properties": {
            "links": {"type": "array", "items": {"enum": ["n1", "n2"]}, "minItems": 1, "maxItems": 2},
            "page": {"type": "integer", "minimum": 3, "maximum": 5},
            "note": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/text"}]},
            "update": {"type": "boolean"},
        },
        "required": ["links", "page", "note", "update"],
        "$defs": {"text": {"type": "string", "maxLength": 40}},
    }
    request = Request((Message("user", "Ines bought a kiln for the shed"),), "p", schema)
    with build(SPEC) as one, build(SPEC) as other:
        completion = one.complete(request)
        jsonschema.validate(completion.parsed, schema)
        assert completion.repairs == ()
        assert other.complete(request).text == completion.text


def test_the_shipped_scripted_backbone_builds():
    path = Path(__file__).parents[3] / "configs" / "backbone" / "scripted.yaml"
    assert check_backbone(yaml.safe_load(path.read_text("utf-8"))) == []


LITELLM = {
    "_target_": "amem.lm.providers.litellm.LiteLLMProvider",
    "label": "Own",
    "sampling": {"temperature": 0.0, "top_p": 1.0, "max_tokens": 64},
    "settings": {"model": "hosted_vllm/not-in-any-list", "window": 1000},
}


@pytest.mark.parametrize("base", ["http://127.0.0.1:8000/v1", "http://10.1.2.3/v1", "http://gpu-box:8000/v1"])
def test_a_server_of_ones_own_costs_nothing(base):
    spec = {**LITELLM, "settings": {**LITELLM["settings"], "api_base": base}}
    assert prices_of(spec, build_provider(spec)).input_per_million == 0.0


def test_a_model_elsewhere_that_no_list_knows_needs_a_price():
    spec = {**LITELLM, "settings": {**LITELLM["settings"], "api_base": "https://models.example.com/v1"}}
    with pytest.raises(ConfigurationError, match="no price is known"):
        prices_of(spec, build_provider(spec))
