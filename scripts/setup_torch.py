"""Installs PyTorch: a CPU build of some 200 MB, unless TORCH_INDEX names the index of another build."""

from __future__ import annotations

import platform
import re
import runpy
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

from setup_console import SetupError, clean_environment, run_logged, say

# PyTorch documents this index as the way to a build without CUDA; the default one serves several GB on Linux.
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
PROBE_SECONDS = 5
WAY_OUT = f"set TORCH_INDEX to an index of CPU builds ({CPU_INDEX} or a mirror of it) and run `make setup` again"


def install_torch(python: Path, pin: str, index: str | None, log: Path) -> str:
    """Install `pin` (as `torch==1.2.3`) into the environment of `python`; returns the version that is there.

    `index` is the user's choice: then the build's own dependencies (CUDA's libraries) come along from there.
    Without it the build must be a CPU one, and everything that it needs is in the lock file already.
    """
    command = [str(python), "-m", "pip", "install", "--no-input", pin]
    if index:
        command += ["--index-url", index]
    else:
        command += ["--no-deps", *(["--index-url", CPU_INDEX] if _cpu_index_answers() else [])]
    run_logged(command, log, "installing PyTorch")
    return check_torch(python, cpu_only=not index)


def remove_torch(python: Path, log: Path) -> None:
    run_logged([str(python), "-m", "pip", "uninstall", "--yes", "torch"], log, "removing PyTorch")


def check_torch(python: Path, *, cpu_only: bool) -> str:
    """The installed version. Raises SetupError for a CUDA build where a CPU build is due, and if it can't be loaded."""
    facts = _version_facts(python)
    if cpu_only and facts.get("cuda"):
        raise SetupError(f"torch {facts['__version__']} is a CUDA {facts['cuda']} build, not a CPU one: {WAY_OUT}")
    loaded = subprocess.run(
        [str(python), "-c", "import torch; torch.zeros(1)"],
        capture_output=True,
        text=True,
        env=clean_environment(),
        check=False,
    )
    if loaded.returncode != 0:
        raise SetupError(
            f"torch {facts['__version__']} does not load ({loaded.stderr.strip().splitlines()[-1]}): {WAY_OUT}"
        )
    say(f"torch {facts['__version__']}, " + (f"CUDA {facts['cuda']}" if facts.get("cuda") else "CPU build"))
    return facts["__version__"]


def read_pin(lock: Path) -> str:
    """The one requirement in `lock`."""
    pins = re.findall(r"^torch==[\w.]+$", lock.read_text(encoding="utf-8"), re.MULTILINE)
    if len(pins) != 1:
        raise SetupError(f"{lock.name} must pin torch once, as `torch==1.2.3`; it has {len(pins)} pins")
    return pins[0]


def _cpu_index_answers() -> bool:
    if platform.system() != "Linux":
        return False  # elsewhere the default index serves builds without CUDA
    try:
        request = urllib.request.Request(f"{CPU_INDEX}/torch/", method="HEAD")
        with urllib.request.urlopen(request, timeout=PROBE_SECONDS):
            return True
    except (urllib.error.URLError, OSError):
        say("PyTorch's CPU index is out of reach: asking the configured package index for a CPU build")
        return False


def _version_facts(python: Path) -> dict:
    # Read from its file: a CUDA build without CUDA's libraries could not be imported to be asked.
    found = list(python.parent.parent.glob("lib/python*/site-packages/torch/version.py"))
    if not found:
        raise SetupError("torch was not found after its installation")
    return runpy.run_path(str(found[0]))
