"""check, pull-models and records, by the entry point that users call."""

from __future__ import annotations

import pytest

from amem.lm.records import RecordStore
from eval.__main__ import main
from eval.commands.pull_models import configured_tags
from tests.servers.emulation import Emulation

PAPER = ["qwen2.5:1.5b", "qwen2.5:3b", "llama3.2:1b", "llama3.2:3b"]


@pytest.fixture
def server(monkeypatch):
    with Emulation(lambda asked: "ok", models={"qwen2.5:1.5b": "a1" * 32}) as server:
        monkeypatch.delenv("OLLAMA_API_BASE", raising=False)
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        yield server


def test_check_tells_each_backbone_what_it_lacks(server, monkeypatch, capsys):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert main(["check", "backbone=[qwen2.5-1.5b,llama3.2-1b,gpt-4o]"]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "ok       Qwen2.5 1.5B"
    assert lines[1].startswith("missing  Llama 3.2 1B") and "ollama pull llama3.2:1b" in lines[1]
    assert lines[2].startswith("missing  GPT-4o") and "OPENAI_API_KEY" in lines[2]


def test_check_names_a_missing_prompt_pack(capsys):
    assert main(["check", "backbone=[scripted]", "prompts.folder=nowhere"]) == 2
    assert "nowhere" in capsys.readouterr().out


def test_check_is_content_with_what_needs_nothing(capsys):
    assert main(["check", "backbone=[scripted]"]) == 0
    assert capsys.readouterr().out == "ok       Scripted (no model)\n"


def test_pull_models_gets_the_papers_four_and_prints_their_digests(server, capsys):
    assert sorted(configured_tags()) == sorted(PAPER)
    assert main(["pull-models"]) == 0
    lines = dict(line.split() for line in capsys.readouterr().out.splitlines())
    assert sorted(lines) == sorted(PAPER)
    pulled = [seen.body["model"] for seen in server.seen if seen.path == "/api/pull"]
    assert sorted(pulled) == sorted(set(PAPER) - {"qwen2.5:1.5b"})
    assert lines["qwen2.5:1.5b"] == "a1" * 32


def test_pull_models_without_a_server_is_one_line(monkeypatch, capsys):
    assert main(["pull-models", "--host", "127.0.0.1:9"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "ollama serve" in error


def test_records_go_out_and_in_as_one_file(tmp_path, capsys):
    with RecordStore(tmp_path / "a.sqlite") as store:
        store.put_pin("ollama:m", "d")
    file = str(tmp_path / "records.jsonl.xz")
    assert main(["records", "export", file, "--store", str(tmp_path / "a.sqlite")]) == 0
    assert main(["records", "import", file, "--store", str(tmp_path / "b.sqlite")]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "0 new replies, 0 new vectors, 1 new pins"


def test_an_export_does_not_take_the_place_of_another_unasked(tmp_path, capsys):
    with RecordStore(tmp_path / "a.sqlite") as store:
        store.put_pin("ollama:m", "d")
    file = tmp_path / "records.jsonl.xz"
    file.write_bytes(b"another's")
    asked = ["records", "export", str(file), "--store", str(tmp_path / "a.sqlite")]
    assert main(asked) == 2
    assert "--overwrite" in capsys.readouterr().err
    assert file.read_bytes() == b"another's"
    assert main([*asked, "--overwrite"]) == 0
    assert file.read_bytes() != b"another's"


def test_records_of_a_store_that_is_not_there_is_one_line(tmp_path, capsys):
    assert main(["records", "count", "--store", str(tmp_path / "none.sqlite")]) == 2
    assert "none.sqlite" in capsys.readouterr().err
    assert not (tmp_path / "none.sqlite").exists()
