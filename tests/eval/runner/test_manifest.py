"""What a run's manifest says of where its answers come from, and what makes it another run."""

from __future__ import annotations

import re
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from amem.errors import ResultsError
from eval.composition import compose
from eval.prepared import prepare
from eval.runner import manifest

SCRIPTED = ["dataset=sample", "backbone=[scripted]", "method=[amem]"]
PACKS = {"scripted": {"name": "default", "hash": "aa"}}
MODELS = {"scripted": {"model": "tiny", "digest": "bb"}}


@dataclass(frozen=True)
class Data:
    name: str = "sample"
    source: str = "folder/sample.json"
    sha256: str = "cc"
    description: str = "2 conversations"
    licence: str = "MIT"
    is_sample: bool = True
    comparable: bool = False
    left_out: dict[str, int] = field(default_factory=dict)


def facts(*overrides: str, data: Data | None = None, packs: Any = None, models: Any = None) -> dict[str, Any]:
    config = compose([*SCRIPTED, *overrides])
    return manifest.facts(config, data or Data(), "a line", packs or PACKS, models or MODELS)


def test_everything_that_a_result_rests_on_is_named() -> None:
    found = facts("seed=5", "repeats=3")
    assert found["seeds"] == [5, 6, 7]
    assert (found["prompts"], found["models"]) == (PACKS, MODELS)
    assert (found["data"]["sha256"], found["data"]["file"]) == ("cc", "sample.json")
    assert found["config"]["methods"]["amem"]["settings"]["retrieve_k"] == 10
    assert found["config"]["embedder"]["model"] == "all-MiniLM-L6-v2"
    assert {"numpy", "jinja2", "tiktoken", "sentence-transformers"} <= found["packages"].keys()


def test_the_commit_is_named_and_whether_files_differ_from_it(monkeypatch: pytest.MonkeyPatch) -> None:
    head = "d" * 40
    for status, expected in ((" M a.py", f"{head}+edited"), ("", head)):
        monkeypatch.setattr(manifest, "_git", lambda word, *_, s=status: head if word == "rev-parse" else s)
        assert facts()["commit"] == expected


def test_outside_of_git_there_is_no_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifest, "_ROOT", tmp_path)
    assert manifest.commit() is None


@pytest.mark.parametrize(
    "change",
    [
        {"data": replace(Data(), sha256="other")},
        {"data": replace(Data(), description="1 of 2 conversations")},
        {"packs": {"scripted": {"name": "default", "hash": "other"}}},
        {"models": {"scripted": {"model": "tiny", "digest": "other"}}},
    ],
)
def test_other_data_prompts_or_weights_make_another_run(change: dict[str, Any]) -> None:
    assert facts(**change)["key"] != facts()["key"]


@pytest.mark.parametrize(
    "override",
    [
        "embedder.model=other",
        "backbones.scripted.sampling.temperature=0.9",
        "+backbones.scripted.answer_temperature={adversarial: 0.5}",
        "methods.amem.settings.refresh=never",
        "repeats=2",
    ],
)
def test_a_setting_that_can_change_an_answer_makes_another_run(override: str) -> None:
    assert facts(override)["key"] != facts()["key"]


@pytest.mark.parametrize(
    "override", ["executor.workers=7", "backbones.scripted.concurrency=3", "results_dir=elsewhere"]
)
def test_where_and_how_fast_a_run_is_made_leaves_it_the_same(override: str) -> None:
    assert facts(override)["key"] == facts()["key"]


@pytest.mark.parametrize("folder", ["amem", "baselines/_memgpt", "eval/runner"])
def test_other_code_makes_another_run(folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifest, "_ROOT", tmp_path)
    file = tmp_path / folder / "some.py"
    file.parent.mkdir(parents=True)
    file.write_text("x = 1")
    before = facts()["key"]
    file.write_text("x = 2")
    assert facts()["key"] != before


def test_the_run_that_is_prepared_names_its_own_data_prompts_and_models(tmp_path: Path) -> None:
    with ExitStack() as stack:
        found = prepare(compose([*SCRIPTED, f"results_dir={tmp_path}"]), stack).facts
    assert found["data"]["is_sample"] and re.fullmatch("[0-9a-f]{64}", found["data"]["sha256"])
    assert found["models"]["scripted"]["provider"]
    assert re.fullmatch("[0-9a-f]{64}", found["prompts"]["scripted"]["hash"])


@pytest.mark.parametrize("content", ["", '{"starts": [', "{}", "[]"])
def test_a_damaged_manifest_is_named_and_the_way_out(tmp_path: Path, content: str) -> None:
    path = tmp_path / "manifest.json"
    assert manifest.earlier_starts(path) == []
    path.write_text(content)
    with pytest.raises(ResultsError, match=f"{re.escape(str(path))}: .*; delete the file, and run again"):
        manifest.earlier_starts(path)


def test_edited_code_of_somebody_elses_method_is_another_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "from baselines.locomo import FullContext\n\n\nclass Theirs(FullContext):\n    pass\n"
    (tmp_path / "theirs_to_edit.py").write_text(code, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    settings = ["method=[locomo]", "methods.locomo._target_=theirs_to_edit.Theirs"]
    before = facts(*settings)
    assert facts(*settings)["key"] == before["key"]
    (tmp_path / "theirs_to_edit.py").write_text(code + "# edited\n", "utf-8")
    after = facts(*settings)
    assert after["key"] != before["key"]
    assert list(after["foreign_code"]) == ["locomo"]
    assert facts()["foreign_code"] == {}
