"""Whole runs over HTTP: faults that pass leave no trace in the answers, and a key leaves none anywhere."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from amem.errors import ConfigurationError, HarnessError
from amem.lm.providers.from_schema import FromSchemaProvider
from eval.composition import compose
from eval.run import run
from tests.servers.emulation import Emulation
from tests.servers.engine import ProviderEngine
from tests.servers.faults import Fault, broken, rate_limited

PLANTED = "planted-77aa01-run-secret"
SMALL = ["name=tiny", "dataset=sample", "dataset.conversations=[0]", "dataset.sessions=1", "dataset.questions=1"]


def do(folder: Path, server: Emulation, backbone: str, *overrides: str) -> Path:
    key = backbone.replace("-", "_").replace(".", "_")
    base = f"{server.url}/v1" if backbone.startswith("gpt") else server.url
    chosen = [f"backbone=[{backbone}]", f"+backbones.{key}.settings.api_base={base}", "method=[locomo,amem]"]
    return run(compose([*SMALL, *chosen, "retrieve.k=2", "link.k=1", f"results_dir={folder}", *overrides]))


def served(**options) -> Emulation:
    return Emulation(ProviderEngine(FromSchemaProvider()), **options)


def test_faults_that_pass_leave_no_trace_in_the_answers(tmp_path):
    faults = [None, rate_limited("0.01"), None, Fault(cut=True), Fault(body="no json")]
    with served() as steady:
        expected = do(tmp_path / "steady", steady, "qwen2.5-1.5b")
    with served(faults=faults) as shaky:
        found = do(tmp_path / "shaky", shaky, "qwen2.5-1.5b")
    assert len(shaky.chats) == len(steady.chats) + 3
    without_times = [_without_times(folder / "answers.jsonl") for folder in (expected, found)]
    assert without_times[0] == without_times[1]


def _without_times(path: Path) -> list[dict]:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for row in rows:
        for call in row["calls"]:
            call.pop("seconds")
    return rows


def test_a_planted_key_is_in_no_file_line_or_error_of_a_run(tmp_path, monkeypatch, capfd, caplog):
    monkeypatch.setenv("OPENAI_API_KEY", PLANTED)
    caplog.set_level(logging.DEBUG)
    echo = Fault(status=400, body=f'{{"error": {{"message": "what is {PLANTED}?", "type": "t"}}}}')
    with served(key=PLANTED, faults=[None, broken(500), echo]) as server:
        do(tmp_path, server, "gpt-4o-mini", "scoring.allow_failures=true")
        assert server.chats[0].headers["authorization"].endswith(PLANTED)
    output = capfd.readouterr()
    assert PLANTED not in output.out + output.err + caplog.text
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > 5
    assert [path for path in files if PLANTED.encode() in path.read_bytes()] == []


def test_a_missing_key_and_a_missing_server_are_told_together_before_anything_starts(tmp_path, monkeypatch, capfd):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    several = "backbone=[gpt-4o,qwen2.5-1.5b]"
    with pytest.raises(
        ConfigurationError, match=r"(?s)nothing was started:\n  GPT-4o: no key.*Qwen2\.5 1\.5B: no Ollama server"
    ):
        run(compose([*SMALL, several, "method=[locomo]", f"results_dir={tmp_path}"]))
    assert not list(tmp_path.rglob("answers.jsonl"))


def test_a_budget_stops_the_run_cleanly_and_a_larger_one_goes_on(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", PLANTED)
    with served(key=PLANTED) as server:
        with pytest.raises(HarnessError, match=r"budget of 0\.001 USD"):
            do(tmp_path, server, "gpt-4o-mini", "budget.usd=0.001")
        asked = len(server.chats)
        do(tmp_path, server, "gpt-4o-mini", "budget.usd=1.0")
        bodies = [str(sorted(chat.body.items())) for chat in server.chats]
    assert 0 < asked < len(bodies) and len(set(bodies)) == len(bodies), "no request is sent twice"
