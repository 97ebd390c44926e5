"""The parts of the set-up: reasons of failures, PyTorch's build, WordNet's table, optional packages."""

from __future__ import annotations

import sys
import urllib.error
from pathlib import Path

import pytest
import setup_extras
import setup_language_data
import setup_torch
from setup_console import SetupError, run_logged


@pytest.mark.parametrize(
    ("output", "meaning"),
    [
        ("OSError: [Errno 28] No space left on device", "the disk is full"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", "differs from the lock file"),
        ("ensurepip is not available", "install its venv package"),
        ("ERROR: Could not find a version that satisfies the requirement x==1", "check the network"),
        ("error: something else", "error: something else"),
    ],
)
def test_a_failed_command_is_explained_in_one_line(tmp_path, output, meaning):
    program = f"print({output!r}); raise SystemExit(1)"
    with pytest.raises(SetupError, match=r"a step failed") as error:
        run_logged([sys.executable, "-c", program], tmp_path / "log", "a step")
    assert meaning in str(error.value)
    assert "\n" not in str(error.value)


def test_the_reason_is_sought_in_the_last_command_only(tmp_path):
    (tmp_path / "log").write_text("No space left on device\n")
    with pytest.raises(SetupError) as error:
        run_logged([sys.executable, "-c", "raise SystemExit(1)"], tmp_path / "log", "a step")
    assert "disk" not in str(error.value)


def environment_with_torch(folder: Path, cuda: str | None) -> Path:
    package = folder / "lib" / "python3.11" / "site-packages" / "torch"
    package.mkdir(parents=True)
    (package / "version.py").write_text(f"__version__ = '1.0'\ncuda = {cuda!r}\n")
    return folder / "bin" / "python"


def test_a_cuda_build_is_refused_with_the_way_out(tmp_path):
    with pytest.raises(SetupError, match=r"CUDA 13\.0 build.*TORCH_INDEX"):
        setup_torch.check_torch(environment_with_torch(tmp_path, "13.0"), cpu_only=True)


def torch_command(monkeypatch, tmp_path, *, index: str | None, cpu_index_answers: bool) -> str:
    commands = []
    monkeypatch.setattr(setup_torch, "run_logged", lambda command, log, what: commands.append(command))
    monkeypatch.setattr(setup_torch, "check_torch", lambda python, cpu_only: "1.0")
    monkeypatch.setattr(setup_torch, "_cpu_index_answers", lambda: cpu_index_answers)
    setup_torch.install_torch(Path("python"), "torch==1.0", index, tmp_path / "log")
    return " ".join(commands[0])


def test_the_cpu_index_is_asked_where_it_answers(monkeypatch, tmp_path):
    command = torch_command(monkeypatch, tmp_path, index=None, cpu_index_answers=True)
    assert command.endswith(f"--no-deps --index-url {setup_torch.CPU_INDEX}")


def test_the_configured_index_is_asked_where_the_cpu_index_is_out_of_reach(monkeypatch, tmp_path):
    command = torch_command(monkeypatch, tmp_path, index=None, cpu_index_answers=False)
    assert command.endswith("torch==1.0 --no-deps")


def test_a_chosen_index_brings_the_libraries_of_its_build(monkeypatch, tmp_path):
    command = torch_command(monkeypatch, tmp_path, index="somewhere", cpu_index_answers=True)
    assert command.endswith("torch==1.0 --index-url somewhere")


def test_an_index_out_of_reach_is_no_error(monkeypatch):
    def unreachable(*arguments, **options):
        raise urllib.error.URLError("no route")

    monkeypatch.setattr(setup_torch.platform, "system", lambda: "Linux")
    monkeypatch.setattr(setup_torch.urllib.request, "urlopen", unreachable)
    assert setup_torch._cpu_index_answers() is False


def test_the_torch_lock_must_hold_one_pin(tmp_path):
    (tmp_path / "lock").write_text("torch>=2\n")
    with pytest.raises(SetupError, match="must pin torch once"):
        setup_torch.read_pin(tmp_path / "lock")


def test_wordnets_table_of_files_numbers_the_forty_five():
    rows = [line.split("\t") for line in setup_language_data.lexnames().splitlines()]
    assert [int(row[0]) for row in rows] == list(range(45))
    assert rows[3] == ["03", "noun.Tops", "1"]
    assert rows[29] == ["29", "verb.body", "2"]
    assert rows[44] == ["44", "adj.ppl", "3"]


def test_data_comes_from_the_second_source_where_the_first_has_nothing(monkeypatch):
    installed = []
    monkeypatch.setattr(setup_language_data, "_download", lambda name: None)
    setup_language_data._ensure("punkt_tab", lambda: bool(installed), {"a wheel": lambda: installed.append(1)})
    assert installed == [1]


def test_data_that_no_source_has_is_an_error_that_names_the_sources(monkeypatch):
    monkeypatch.setattr(setup_language_data, "_download", lambda name: None)
    with pytest.raises(SetupError, match="wordnet is to be had neither from NLTK's server nor from a mirror"):
        setup_language_data._ensure("wordnet", lambda: False, {"a mirror": lambda: None})


@pytest.mark.parametrize("groups", [[], ["rya"]])
def test_unknown_extras_are_refused_with_the_known_ones(groups, capsys):
    assert setup_extras.main(groups) == 2
    assert "inspect mlflow ray submitit wandb" in capsys.readouterr().err
