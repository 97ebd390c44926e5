"""When the set-up makes the environment, when it leaves it alone, and what it refuses. No package is installed."""

from __future__ import annotations

import subprocess
import sys

import pytest
import setup_environment
from setup_console import SetupError


class Recorder:
    """Stands in for the commands: notes what each was for, and makes the files that `python -m venv` makes."""

    def __init__(self):
        self.steps: list[str] = []

    def run(self, command, log, what):
        self.steps.append(what)
        if "venv" in command:
            (log.parent / "bin").mkdir()
            (log.parent / "bin" / "python").touch()

    def torch(self, python, pin, index, log):
        self.steps.append(f"torch from {index or 'the CPU index'}")
        return "1.0"


@pytest.fixture
def recorder(monkeypatch):
    recorder = Recorder()
    monkeypatch.delenv("TORCH_INDEX", raising=False)
    monkeypatch.setattr(setup_environment, "run_logged", recorder.run)
    monkeypatch.setattr(setup_environment, "install_torch", recorder.torch)
    monkeypatch.setattr(setup_environment, "remove_torch", lambda python, log: recorder.steps.append("remove torch"))
    monkeypatch.setattr(setup_environment, "_install_language_data", lambda python: recorder.steps.append("data"))
    return recorder


@pytest.fixture
def set_up(monkeypatch, tmp_path, recorder):
    """Runs the set-up for `tmp_path/env` and returns its exit code and the steps that it took."""

    def run():
        recorder.steps.clear()
        monkeypatch.setattr(sys, "argv", ["setup_environment.py", "--venv", str(tmp_path / "env")])
        return setup_environment.main(), list(recorder.steps)

    return run


ALL_STEPS = [
    "making the virtual environment",
    "installing setuptools",
    "installing the packages",
    "torch from the CPU index",
    "installing the project",
    "data",
]


def test_the_first_run_takes_every_step_and_the_second_none(set_up):
    assert set_up() == (0, ALL_STEPS)
    assert set_up() == (0, [])


def test_a_changed_lock_is_installed_into_the_same_environment(set_up, monkeypatch):
    set_up()
    monkeypatch.setattr(setup_environment, "fingerprint", lambda: "another")
    assert set_up() == (0, ALL_STEPS[1:])


def test_an_interrupted_set_up_is_started_afresh(set_up, monkeypatch, tmp_path):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(setup_environment, "install_torch", interrupted)
        code, _ = set_up()
        assert code == 130
    (tmp_path / "env" / "half-written").touch()
    assert set_up() == (0, ALL_STEPS)
    assert not (tmp_path / "env" / "half-written").exists()


def test_another_python_version_means_another_environment(set_up, monkeypatch):
    set_up()
    monkeypatch.setattr(setup_environment, "_python_version", lambda: "3.99")
    assert set_up() == (0, ALL_STEPS)


def test_a_folder_that_the_set_up_did_not_make_is_left_alone(set_up, tmp_path, capsys):
    (tmp_path / "env").mkdir()
    (tmp_path / "env" / "thesis.txt").write_text("mine")
    assert set_up() == (1, [])
    assert (tmp_path / "env" / "thesis.txt").read_text() == "mine"
    assert "was not made by this set-up" in capsys.readouterr().err


def test_too_little_disk_is_said_before_anything_is_fetched(set_up, monkeypatch, capsys):
    monkeypatch.setattr(setup_environment, "NEEDED_GB", 10**9)
    assert set_up() == (1, [])
    assert "GB of disk are needed" in capsys.readouterr().err


def test_a_chosen_torch_index_stays_chosen(set_up, monkeypatch):
    monkeypatch.setenv("TORCH_INDEX", "cuda-index")
    _, steps = set_up()
    assert steps[3:5] == ["remove torch", "torch from cuda-index"]
    monkeypatch.delenv("TORCH_INDEX")
    assert set_up() == (0, [])
    monkeypatch.setenv("TORCH_INDEX", "")
    _, steps = set_up()
    assert steps[2:4] == ["remove torch", "torch from the CPU index"]


def test_a_failed_step_leaves_no_stamp(set_up, monkeypatch, tmp_path, capsys):
    def fail(*arguments):
        raise SetupError("no such build")

    monkeypatch.setattr(setup_environment, "install_torch", fail)
    assert set_up()[0] == 1
    assert not (tmp_path / "env" / setup_environment.STAMP).exists()
    assert capsys.readouterr().err == "set-up: error: no such build\n"


def test_two_set_ups_at_once_wait_for_each_other(tmp_path):
    program = (
        "import sys, pathlib, setup_environment as s\n"
        "with s._alone(pathlib.Path(sys.argv[1])):\n"
        "    print('in', flush=True); sys.stdin.readline()\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "env")]
    scripts = setup_environment.ROOT / "scripts"
    first, second = (
        subprocess.Popen(command, cwd=scripts, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    )
    with first, second:
        waiting = {first.stdout.readline(), second.stdout.readline()}
        assert waiting == {"in\n", "set-up: another set-up is at work; waiting for it\n"}
        for process in (first, second):
            process.stdin.write("\n")
            process.stdin.close()
        assert first.wait(10) == second.wait(10) == 0


def test_an_up_to_date_environment_goes_without_a_word(set_up, tmp_path, capsys):
    set_up()
    (tmp_path / "env" / "nltk_data" / "corpora" / "wordnet").mkdir(parents=True)
    capsys.readouterr()
    assert set_up() == (0, [])
    assert capsys.readouterr().out == ""


def test_missing_wordnet_is_said_every_time(set_up, capsys):
    set_up()
    capsys.readouterr()
    assert set_up() == (0, [])
    assert "METEOR can't be computed" in capsys.readouterr().out


def test_a_damaged_stamp_means_a_fresh_start(set_up, tmp_path):
    set_up()
    (tmp_path / "env" / setup_environment.STAMP).write_text("{}")
    assert set_up() == (0, ALL_STEPS)
