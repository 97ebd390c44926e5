"""A key in a configuration is refused before anything is written or printed, whatever the command."""

from __future__ import annotations

from pathlib import Path

import pytest

from amem.errors import ConfigurationError
from eval.__main__ import main
from eval.composition import compose

PLANTED = "sk-abcdefghijklmnop"
SMALL = ["dataset=sample", "method=[locomo]", "records.replay_only=true"]
LITELLM = [*SMALL, "backbone=litellm", "backbone.model=openai/x"]
BACKBONE_KEYS = [
    f"backbone.extra={{api_key: {PLANTED}}}",
    f"backbone.extra={{extra_headers: {{x: {PLANTED}}}}}",
    f"backbone.api_base='http://user:{PLANTED}@host/v1'",
    f"+backbone.settings.api_key={PLANTED}",
    f"backbone.key={PLANTED}",
]
RUNTIME_KEYS = [
    f"executor.runtime_env={{env_vars: {{OPENAI_API_KEY: {PLANTED}}}}}",
    f"+executor.runtime_env={{env_vars: {{HARMLESS: {PLANTED}}}}}",
]


@pytest.mark.parametrize("override", BACKBONE_KEYS)
def test_a_backbone_s_key_is_refused_with_the_way_out(override: str) -> None:
    with pytest.raises(ConfigurationError, match=r"backbones\.litellm\.settings\.\w+.*environment") as refused:
        compose([*LITELLM, override])
    assert PLANTED not in str(refused.value)


@pytest.mark.parametrize("override", RUNTIME_KEYS)
def test_a_key_in_the_nodes_runtime_environment_is_refused_with_the_way_out(override: str) -> None:
    with pytest.raises(ConfigurationError, match=r"executor\.runtime_env\.env_vars\.\w+ .*each node") as refused:
        compose([*SMALL, "backbone=[scripted]", "executor=ray", override])
    assert PLANTED not in str(refused.value)


@pytest.mark.parametrize("tracking", ["none", "mlflow"])
def test_a_tracker_s_password_is_refused_with_the_way_out(tracking: str) -> None:
    given = f"tracking.uri='http://user:{PLANTED}@host/'"
    with pytest.raises(ConfigurationError, match=r"tracking\.uri .*MLFLOW_TRACKING_PASSWORD") as refused:
        compose([*SMALL, "backbone=[scripted]", f"tracking={tracking}", given])
    assert PLANTED not in str(refused.value)


def test_a_tracker_s_password_from_its_variable_is_refused_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", f"http://user:{PLANTED}@host/")
    with pytest.raises(ConfigurationError, match="MLFLOW_TRACKING_USERNAME"):
        compose([*SMALL, "backbone=[scripted]", "tracking=mlflow"])


def test_a_password_in_any_other_address_is_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"executor\.address .*leave it out"):
        compose([*SMALL, "backbone=[scripted]", "executor=ray", f"executor.address='ray://me:{PLANTED}@host:1'"])


@pytest.mark.parametrize("command", [[], ["-m"], ["estimate", "--no-records"], ["check"]])
@pytest.mark.parametrize("override", [*BACKBONE_KEYS, RUNTIME_KEYS[0], f"tracking.uri='http://me:{PLANTED}@host/'"])
def test_no_command_writes_or_prints_it(
    command: list[str], override: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    sweep = ["seed=0,1"] if command == ["-m"] else []
    assert main([*command, *LITELLM, *sweep, f"results_dir={tmp_path}", override]) == 2
    printed = capfd.readouterr()
    assert "key" in printed.err and PLANTED not in printed.out + printed.err
    assert list(tmp_path.iterdir()) == []
