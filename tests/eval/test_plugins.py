"""An installed package brings a method of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from eval.composition import compose
from eval.plugins import GROUP

METHOD = """\
# @package methods.theirs
_target_: their_memory.Theirs
label: Theirs
paper_row: null
settings:
  size: 7
"""
CODE = """\
from dataclasses import dataclass

from amem.contract import MemoryMethod


@dataclass(frozen=True)
class Settings:
    size: int = 3


class Theirs(MemoryMethod):
    Settings = Settings
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder as an installer leaves it: the package, its configurations, and its entry point."""
    configs = tmp_path / "their_memory" / "configs"
    (configs / "method").mkdir(parents=True)
    (tmp_path / "their_memory" / "__init__.py").write_text(CODE, "utf-8")
    (configs / "__init__.py").touch()
    (configs / "method" / "theirs.yaml").write_text(METHOD, "utf-8")
    info = tmp_path / "their_memory-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-memory\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\ntheirs = their_memory.configs\n", "utf-8")
    return tmp_path


def test_its_method_can_be_chosen_beside_ours(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(site))
    chosen = compose(["method=[theirs,amem]", "backbone=[scripted]"]).methods
    assert list(chosen) == ["theirs", "amem"]
    assert chosen["theirs"].settings == {"size": 7}


def test_so_it_can_from_the_command_line(site: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "eval", "method=[theirs]", "backbone=scripted", "--cfg", "job", "-p", "methods"],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "_target_: their_memory.Theirs" in done.stdout
