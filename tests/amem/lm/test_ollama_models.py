"""The real ollama client against the emulation."""

from __future__ import annotations

import pytest

from amem.errors import ConfigurationError
from amem.lm import ollama_models
from tests.servers.emulation import Emulation

DIGEST = "a1" * 32


@pytest.fixture
def server():
    with Emulation(lambda asked: "ok", models={"qwen2.5:1.5b": DIGEST, "phi:latest": DIGEST}) as server:
        yield server


def test_digests_are_read_by_tag(server):
    assert ollama_models.digest(server.url, "qwen2.5:1.5b") == DIGEST
    assert ollama_models.digest(server.url, "phi") == DIGEST


def test_a_missing_model_tells_how_to_get_it(server):
    with pytest.raises(ConfigurationError, match=r"ollama pull llama3\.2:1b"):
        ollama_models.digest(server.url, "llama3.2:1b")


def test_a_pull_reports_its_progress_and_gives_the_digest(server):
    steps = []
    digest = ollama_models.pull(server.url, "llama3.2:1b", lambda *step: steps.append(step))
    assert [(done, total) for _, done, total in steps] == [(100, 300), (200, 300), (300, 300)]
    assert digest == ollama_models.digests(server.url)["llama3.2:1b"]


def test_a_pull_of_an_unknown_model_is_one_line(server):
    with pytest.raises(ConfigurationError, match="does not exist"):
        ollama_models.pull(server.url, "unknown:1b", lambda *step: None)


def test_no_server_tells_what_to_do():
    with pytest.raises(ConfigurationError, match="ollama serve"):
        ollama_models.digests("http://127.0.0.1:9")


@pytest.mark.parametrize(
    ("version", "old"), [("0.4.9", True), ("0.5.0", False), ("0.12.3-rc1", False), ("0.0.0", False)]
)
def test_versions_without_schemas_are_old(version, old):
    assert ollama_models.is_old(version) is old


@pytest.mark.parametrize(
    ("given", "variable", "address"),
    [
        (None, None, "http://127.0.0.1:11434"),
        (None, "0.0.0.0", "http://127.0.0.1:11434"),
        (None, "gpu-box:8080", "http://gpu-box:8080"),
        ("https://ollama.example/", "ignored", "https://ollama.example"),
        ("http://h:1/prefix/", None, "http://h:1/prefix"),
    ],
)
def test_the_address_is_read_as_ollamas_own_tools_do(given, variable, address, monkeypatch):
    monkeypatch.delenv("OLLAMA_API_BASE", raising=False)
    monkeypatch.delenv("OLLAMA_HOST", raising=False)
    if variable:
        monkeypatch.setenv("OLLAMA_HOST", variable)
    assert ollama_models.host(given) == address
