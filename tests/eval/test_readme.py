"""What the README shows works as it stands there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def block(language: str, first_line: str) -> str:
    blocks = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    return next(text for text in blocks if text.startswith(first_line))


def test_the_method_of_ones_own_runs_from_one_file_and_one_yaml(tmp_path: Path) -> None:
    (tmp_path / "my_memory.py").write_text(block("python", "# my_memory.py"), "utf-8")
    (tmp_path / "configs" / "method").mkdir(parents=True)
    yaml = block("yaml", "# @package methods.last_turns")
    (tmp_path / "configs" / "method" / "last_turns.yaml").write_text(yaml, "utf-8")
    done = subprocess.run(
        [
            sys.executable, "-m", "eval", "--config-dir", str(tmp_path / "configs"), "method=[last_turns,locomo]",
            "backbone=[scripted]", "dataset=sample", "dataset.conversations=[1]", "dataset.sessions=1",
            "scoring.metrics=[f1_amem_set,f1_locomo,bleu1]", f"results_dir={tmp_path / 'results'}",
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Last turns" in done.stdout


def test_every_make_target_of_the_readme_exists() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in set(re.findall(r"`?make ([a-z0-9-]+)", README)):
        assert re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE), target


def test_every_command_of_the_readme_exists() -> None:
    commands = {path.stem.replace("_", "-") for path in (ROOT / "eval" / "commands").glob("[a-z]*.py")}
    for name in set(re.findall(r"python -m eval ([a-z][a-z-]+)(?=[ \n`])", README)):
        assert name in commands, name


def test_every_dependency_is_named_with_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [
        *project["dependencies"],
        *(line for group in project["optional-dependencies"].values() for line in group),
    ]
    names = {re.match(r"[\w.-]+", line).group() for line in wanted}  # type: ignore[union-attr]
    table = README[README.index("## What it is built on") : README.index("## Licences")]
    assert not {name for name in names if not re.search(rf"[| `]{re.escape(name)}[,| ]", table)}
