"""`backbone.KEY=VALUE` on the command line: a setting of the one backbone that is chosen."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from amem.errors import ConfigurationError
from amem.lm.providers.from_schema import FromSchemaProvider
from eval.__main__ import main
from eval.composition import compose, config_hash
from tests.servers.emulation import Emulation
from tests.servers.engine import ProviderEngine

ROOT = Path(__file__).parents[2]
LITELLM = ["backbone=litellm", "backbone.model=hosted_vllm/m", "backbone.api_base=http://127.0.0.1:8000/v1"]


def test_settings_and_fields_go_where_they_belong():
    (backbone,) = compose([*LITELLM, "backbone.concurrency=9", "backbone.sampling.temperature=0.2"]).backbones.values()
    assert (backbone.settings["model"], backbone.settings["api_base"]) == ("hosted_vllm/m", "http://127.0.0.1:8000/v1")
    assert (backbone.concurrency, backbone.sampling.temperature, backbone.sampling.top_p) == (9, 0.2, 1.0)
    assert backbone.label == "hosted_vllm/m"


def test_the_short_form_is_the_same_run_as_the_long_one():
    long = ["backbones.litellm.settings.model=hosted_vllm/m",
            "backbones.litellm.settings.api_base=http://127.0.0.1:8000/v1"]  # fmt: skip
    assert config_hash(compose(LITELLM)) == config_hash(compose(["backbone=litellm", *long]))


def test_a_setting_that_the_file_does_not_mention_can_be_set():
    (backbone,) = compose(["backbone=gpt-4o", "backbone.api_base=http://127.0.0.1:1/v1"]).backbones.values()
    assert backbone.settings["api_base"] == "http://127.0.0.1:1/v1"


@pytest.mark.parametrize("backbone", ["gpt-4o", "scripted"])
def test_a_temperature_by_category_can_be_set_whether_its_file_has_one_or_not(backbone):
    given = "backbone.answer_temperature={adversarial: 0.2, temporal: 0.1}"
    (composed,) = compose([f"backbone={backbone}", given]).backbones.values()
    assert composed.answer_temperature == {"adversarial": 0.2, "temporal": 0.1}


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["backbone=[gpt-4o,gpt-4o-mini]", "backbone.key=K"], "2 are chosen.*backbones.NAME"),
        (["backbone=litellm", "backbone.modle=x"], "backbone.modle is unknown; did you mean model"),
        (["backbone=litellm"], r"its model has to be named \(backbone.model="),
        (["backbone=gpt-4o", "backbone.concurrency=many"], "'many'.*Integer"),
        (["backbone=gpt-4o", "backbone.sampling.temprature=1"], "did you mean temperature"),
    ],
)
def test_what_can_not_be_meant_is_one_clear_error(overrides, message):
    with pytest.raises(ConfigurationError, match=message):
        compose(overrides)


def test_a_server_that_is_not_there_is_told_before_the_run(capsys):
    base = "backbone.api_base=http://127.0.0.1:9/v1"
    assert main(["check", "backbone=litellm", "backbone.model=hosted_vllm/m", base]) == 2
    assert "no server answers at http://127.0.0.1:9/v1" in capsys.readouterr().out


@pytest.mark.slow
def test_a_run_from_the_command_line_asks_the_named_model_at_the_named_server(tmp_path):
    small = ["dataset=sample", "dataset.conversations=[0]", "dataset.sessions=1", "dataset.questions=1",
             "method=locomo", "name=named", f"results_dir={tmp_path}"]  # fmt: skip
    with Emulation(ProviderEngine(FromSchemaProvider())) as server:
        named = ["backbone=litellm", "backbone.model=hosted_vllm/some-model", f"backbone.api_base={server.url}/v1"]
        subprocess.run([sys.executable, "-m", "eval", *named, *small], cwd=ROOT, check=True, capture_output=True)
        assert {chat.body["model"] for chat in server.chats} == {"some-model"}
    (manifest,) = tmp_path.glob("named-*/manifest.json")
    assert json.loads(manifest.read_text())["config"]["backbones"]["litellm"]["label"] == "hosted_vllm/some-model"
