"""What the set-up says, and how it runs a command and keeps its output."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

NETWORK_SIGNS = (
    "NewConnectionError",
    "ConnectionError",
    "Max retries",
    "Name or service not known",
    "timed out",
    "Temporary failure in name resolution",
    "Could not find a version",
    "Failed to resolve",
    "Read timed out",
    "ReadTimeoutError",
    "SSLError",
)
SIGNS = (
    (("No space left on device",), "the disk is full: free about 4 GB and run it again"),
    (("DO NOT MATCH THE HASHES",), "a package differs from the lock file: your package index serves another file"),
    (
        ("ensurepip is not available", "No module named ensurepip"),
        "this Python has no ensurepip: install its venv package (Debian, Ubuntu: python3-venv), or pass PYTHON=...",
    ),
    (NETWORK_SIGNS, "a package could not be fetched: check the network, or pip's index settings (pip config list)"),
)


class SetupError(Exception):
    """A failure of the set-up, in one line that names the way out."""


def say(text: str) -> None:
    print(f"set-up: {text}", flush=True)


def run_logged(command: list[str], log: Path, what: str) -> None:
    """Run `command`, its output going to the end of `log`. Raises SetupError saying why it failed."""
    start = log.stat().st_size if log.exists() else 0
    with log.open("a", encoding="utf-8") as sink:
        sink.write(f"$ {' '.join(command)}\n")
        # close_fds=False hands on the set-up's lock: should this process be killed, the lock outlives the command.
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=clean_environment(),
            close_fds=False,
        )
        with process:
            try:
                _relay(process.stdout, sink)
            except BaseException:
                process.terminate()
                raise
    if process.returncode != 0:
        raise SetupError(f"{what} failed: {_reason(log, start)}; the whole output: {log}")


def clean_environment() -> dict[str, str]:
    """The environment for the new Python: nothing of the caller's own Python may shine through."""
    return {
        **{name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")},
        "PIP_USER": "0",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }


def _relay(lines, sink) -> None:
    live = sys.stdout.isatty()
    for line in lines:
        sink.write(line)
        if live and line.lstrip().startswith(("Downloading", "Building", "Installing")):
            print(f"\r\033[K  {line.strip()[:100]}", end="", flush=True)
    if live:
        print("\r\033[K", end="", flush=True)


def _reason(log: Path, start: int) -> str:
    with log.open(encoding="utf-8") as written:
        written.seek(start)
        output = written.read()
    errors = [line.strip() for line in output.splitlines() if "error" in line.lower()]
    last = errors[-1][:200] if errors else "no reason given"
    meanings = [meaning for signs, meaning in SIGNS if any(sign in output for sign in signs)]
    return f"{meanings[0]} ({last})" if meanings else last
