"""What looks like a key in a configuration, and what only resembles one."""

from __future__ import annotations

import pytest

from amem.errors import KeyGiven
from amem.lm.no_keys import check_settings, has_credentials, refuse_keys

PLANTED = "planted-5f0c9d-very-secret"


@pytest.mark.parametrize(
    "values",
    [
        {"api_key": PLANTED},
        {"api_key": 12345678},
        {"env_vars": {"HF_TOKEN": PLANTED}},
        {"env_vars": {"HARMLESS": f"sk-{PLANTED}"}},
        {"headers": [{"Authorization": PLANTED}]},
        {"headers": {"x": f"bearer {PLANTED}"}},
        {"auth": {"user": PLANTED}},
        {"run_options": [f"--env OPENAI=sk-{PLANTED}"]},
        {"pip": [f"--extra-index-url https://user:{PLANTED}@host/simple"]},
        {"working_dir": f"https://{PLANTED}@host/a.zip"},
        {"api_base": f"user:{PLANTED}@host:11434"},
        {"api_base": f"https://host/v1/sk-{PLANTED}/x"},
        {"headers": {"x": f"Basic {PLANTED}"}},
        {"env_vars": {"PGPASS": PLANTED}},
        {"env_vars": {"DB_PWD": PLANTED}},
        {"openaiApiKey": PLANTED},
    ],
)
def test_a_name_or_a_value_that_looks_like_a_key_is_refused_and_not_repeated(values: dict) -> None:
    with pytest.raises(KeyGiven, match=r"^here\.\w+.*; set it there$") as refused:
        refuse_keys(values, "here", "set it there")
    assert PLANTED not in str(refused.value)


def test_what_only_resembles_a_key_is_let_pass() -> None:
    fine = {
        "pip": ["hf-transfer", "hf_xet==1.0", "torch @ https://host/torch.whl", "git+ssh://git@host/me/it.git"],
        "env_vars": {"TOKENIZERS_PARALLELISM": "false", "HF_HUB_ENABLE_HF_TRANSFER": "1", "AUTHOR": "me"},
        "container": {"image": "ray:2.40@sha256:0f0f0f"},
        "thinking": {"type": "enabled", "budget_tokens": 1024},
        "tokens_factor": 1.1,
        "max_tokens_name": "max_completion_tokens",
        "use_auth": True,
        "api_key": None,
        "agent": "mailto:me@host",
        "stop_token_ids": [1, 2],
        "thinking_token_budget": 100,
        "eos_token": "</s>",
        "prompt_cache_key": "locomo",
        "monkey": "turkey",
        "stop": ["Q:@", "Bearer of"],
        "model": "hf-internal-testing-tiny-llama/x",
        "SSH_AUTH_SOCK": "/run/agent",
        "XAUTHORITY": "/home/me/.x",
    }
    refuse_keys(fine, "here", "set it there")


@pytest.mark.parametrize("variable", [None, "OPENAI_API_KEY"])
def test_a_backbone_names_the_variable_of_its_key(variable: str | None) -> None:
    check_settings({"model": "openai/m", "key": variable}, "settings")


@pytest.mark.parametrize(
    ("address", "holds"),
    [
        ("http://user:word@host/v1", True),
        ("http://token@host/v1", True),
        ("runs-10:30@node7", False),
        ("/data/a?sig=4", False),
        ("postgresql://user:word@host/db", True),
        ("http://host/v1?api_key=word", True),
        ("http://host/v1?a=1&sig=word", True),
        ("postgresql://user@host/db", False),
        ("http://127.0.0.1:8000/v1?page=1", False),
        ("sqlite:///results/mlflow.db", False),
        ("http://host/@scope/package", False),
    ],
)
def test_addresses_with_a_password_or_a_key(address: str, holds: bool) -> None:
    assert has_credentials(address) is holds
