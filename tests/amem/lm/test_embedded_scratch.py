"""Folders of dead processes go, those of living ones stay."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from amem.lm.providers._scratch import remove_left_behind, scratch_folder


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_dead_process_s_folder_is_removed(temporary: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    (temporary / f"amem-embedded-{child.pid}-x" / "0").mkdir(parents=True)
    remove_left_behind()
    assert not list(temporary.iterdir())


def test_a_living_process_s_folder_stays(temporary: Path) -> None:
    (temporary / f"amem-embedded-{os.getppid()}-x").mkdir()
    with scratch_folder() as own:
        remove_left_behind()
        assert {path.name for path in temporary.iterdir()} == {f"amem-embedded-{os.getppid()}-x", Path(own).name}
