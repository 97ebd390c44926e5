"""A cell's process ends with the run that started it, and how it ended is told."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from amem.errors import HarnessError
from eval.composition import compose
from eval.scaling.cell import CellSpec
from eval.scaling.config import Vectors
from eval.scaling.process import do_cell

ROOT = Path(__file__).parents[3]
CELL = CellSpec(200, vectors=Vectors.RANDOM)
SECONDS = 60
needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")


def until(found: Callable[[], Any], seconds: float = SECONDS) -> Any:
    """What `found` returns once it is true; an AssertionError if it does not get so."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := found():
            return value
        time.sleep(0.05)
    raise AssertionError(f"not so after {seconds} s")


def status(pid: int) -> list[str]:
    """State and parent of a process; empty where there is none, or one that has ended and waits to be told of."""
    try:
        found = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [] if found[0] == "Z" else found[:2]


def cell_of(parent: int, name: str) -> int | None:
    """The process of the cell `name` that `parent` has started."""
    for folder in Path("/proc").glob("[0-9]*"):
        pid = int(folder.name)
        try:
            if status(pid)[1:] == [str(parent)] and f"{name}.json".encode() in (folder / "cmdline").read_bytes():
                return pid
        except OSError:
            continue
    return None


@needs_proc
def test_a_process_ends_itself_when_its_parent_was_killed() -> None:
    watched = "import os, time; from eval.runner.orphan import end_with; end_with(os.getppid()); print(os.getpid(), "
    inner = watched + f"flush=True); time.sleep({SECONDS})"
    outer = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}])"
    with subprocess.Popen([sys.executable, "-c", outer], cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        time.sleep(1.5)
        assert status(child)
        parent.kill()
        until(lambda: not status(child), seconds=10)


def test_a_cell_that_fails_is_not_said_to_lack_memory(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    config = compose(["experiment=scaling", "dataset=sample"])
    with pytest.raises(HarnessError, match="cell 200-random ended with code 1; its own message is above") as error:
        do_cell(CELL, config, tmp_path / "none", 1.0, tmp_path / "out.json", lambda: None)
    assert "memory" not in str(error.value)
    assert "real.npz" in capfd.readouterr().err


def test_a_cell_that_was_killed_is_said_to_lack_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    killed = tmp_path / "killed"
    killed.write_text("#!/bin/sh\nkill -9 $$\n")
    killed.chmod(0o755)
    config = compose(["experiment=scaling", "dataset=sample"])
    monkeypatch.setattr(sys, "executable", str(killed))
    with pytest.raises(HarnessError, match=r"killed \(code -9\), mostly for a lack of memory: .* scaling.sizes"):
        do_cell(CELL, config, tmp_path, 1.0, tmp_path / "out.json", lambda: None)


@needs_proc
@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGKILL, -9)])
def test_a_run_that_is_ended_leaves_what_is_measured_and_no_process(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    command = [
        sys.executable, "-m", "eval", "experiment=scaling", "dataset=sample", f"results_dir={tmp_path}",
        "scaling.sizes=[200]", "scaling.vectors=[random]", "scaling.queries=10", "scaling.batch=20", "method=[amem]",
        f"scaling.call_seconds={SECONDS}",
    ]  # fmt: skip
    env = {**os.environ, "TMPDIR": str(temporary)}
    with subprocess.Popen(command, cwd=ROOT, env=env, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        cell = until(lambda: cell_of(parent.pid, "200-amem"))
        parent.send_signal(number)
        assert parent.wait(10) == code
        until(lambda: not status(cell), seconds=10)
    (folder,) = tmp_path.glob("scaling-*")
    assert [path.name for path in (folder / "measurements").iterdir()] == ["200-random.json"]
    (start,) = json.loads((folder / "manifest.json").read_text())["starts"]
    assert start["measured"] == 1 and "finished" not in start
    torchs = "torchinductor_*"  # A cache that torch keeps.
    assert [path for path in temporary.iterdir() if not path.match(torchs)] == []
