"""Makes the virtual environment that `make` uses, from the lock files; does nothing where it is up to date.

Runs on the system's Python with the standard library alone. Safe to interrupt (a half-made environment is made anew)
and to start twice at once (the second waits). Environment variables: TORCH_INDEX, see setup_torch.py.
"""

import argparse
import contextlib
import hashlib
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 - this file is what an older Python gets to see
    sys.exit(
        f"set-up: Python 3.11 or newer is needed and `{sys.executable}` is {platform.python_version()}: "
        "name another one, as in `make setup PYTHON=python3.12`"
    )

import fcntl
import tomllib

from setup_console import SetupError, clean_environment, run_logged, say
from setup_torch import install_torch, read_pin, remove_torch

ROOT = Path(__file__).resolve().parent.parent
LOCK, TORCH_LOCK = ROOT / "requirements.lock", ROOT / "requirements-torch.lock"
MARK, STAMP, LOG = "made-by-setup", "setup-complete.json", "setup.log"
NEEDED_GB = 4
NO_WORDNET = 3  # exit code of setup_language_data.py


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--venv", type=Path, default=ROOT / ".venv", help="folder of the environment")
    venv = parser.parse_args().venv.absolute()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        if not _is_current(venv):
            with _alone(venv):
                if not _is_current(venv):  # another set-up may have made it meanwhile
                    _make(venv)
        elif not any((venv / "nltk_data" / "corpora").glob("wordnet*")):
            say("WordNet is missing, METEOR can't be computed; `make language-data` tries again to get it")
    except SetupError as error:
        print(f"set-up: error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nset-up: interrupted; the next run starts it afresh", file=sys.stderr)
        return 130
    return 0


def fingerprint() -> str:
    """Hash of all that decides what is installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [project["build-system"], project["project"], project["tool"]["setuptools"]]
    digest = hashlib.sha256(f"{_python_version()} {platform.machine()} {ROOT} {wanted}".encode())
    for source in [LOCK, TORCH_LOCK, *sorted((ROOT / "scripts").glob("setup_*.py"))]:
        digest.update(source.read_bytes())
    return digest.hexdigest()


def _python_version() -> str:
    return "{}.{}".format(*sys.version_info)


def _read_stamp(venv: Path) -> dict | None:
    try:
        stamp = json.loads((venv / STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return stamp if stamp.keys() >= {"fingerprint", "python", "torch_index"} else None


def _is_current(venv: Path) -> bool:
    stamp = _read_stamp(venv)
    return (
        stamp is not None
        and stamp["fingerprint"] == fingerprint()
        and os.environ.get("TORCH_INDEX", stamp["torch_index"]) == stamp["torch_index"]
        and (venv / "bin" / "python").exists()
    )


@contextlib.contextmanager
def _alone(venv: Path):
    """Hold the lock file beside `venv`; the system drops it when this process and its commands end, however they do."""
    venv.parent.mkdir(parents=True, exist_ok=True)
    with (venv.parent / f"{venv.name}.lock").open("w") as handle:
        os.set_inheritable(handle.fileno(), True)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another set-up is at work; waiting for it")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _make(venv: Path) -> None:
    stamp = _read_stamp(venv)
    if stamp is None or stamp["python"] != _python_version():
        _create(venv)
        stamp = {"torch_index": ""}
    (venv / STAMP).unlink(missing_ok=True)
    log, python = venv / LOG, venv / "bin" / "python"
    torch_index = os.environ.get("TORCH_INDEX", stamp["torch_index"])
    say(f"installing {_count_pins()} packages into {venv} (a minute or more)")
    _install_lock(python, log)
    if torch_index != stamp["torch_index"]:
        remove_torch(python, log)
    torch = install_torch(python, read_pin(TORCH_LOCK), torch_index, log)
    _pip(python, log, "installing the project", "--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    _install_language_data(python)
    _write_stamp(
        venv, {"fingerprint": fingerprint(), "python": _python_version(), "torch": torch, "torch_index": torch_index}
    )
    say("ready")


def _create(venv: Path) -> None:
    if venv.exists() and any(venv.iterdir()) and not (venv / MARK).exists():
        raise SetupError(f"{venv} exists and was not made by this set-up: remove it or pass another, as in VENV=.env")
    free = shutil.disk_usage(venv.parent).free / 1e9
    if free < NEEDED_GB:
        raise SetupError(f"about {NEEDED_GB} GB of disk are needed and {venv.parent} has {free:.1f} GB free")
    shutil.rmtree(venv, ignore_errors=True)
    venv.mkdir(parents=True, exist_ok=True)
    (venv / MARK).touch()
    say(f"making {venv} with Python {platform.python_version()}")
    run_logged([sys.executable, "-m", "venv", str(venv)], venv / LOG, "making the virtual environment")


def _install_lock(python: Path, log: Path) -> None:
    build_tool = python.parent.parent / "setuptools.lock"
    build_tool.write_text(_entry_of("setuptools"), encoding="utf-8")
    # Packages that come as source are built with the locked setuptools, so it goes first.
    hashed = ("--no-deps", "--require-hashes", "--no-build-isolation", "--requirement")
    _pip(python, log, "installing setuptools", *hashed, str(build_tool))
    _pip(python, log, "installing the packages", *hashed, str(LOCK))


def _entry_of(package: str) -> str:
    found = re.search(rf"^{package}==.*(?:\n    .*)*", LOCK.read_text(encoding="utf-8"), re.MULTILINE)
    if not found:
        raise SetupError(f"{LOCK.name} has no entry for {package}")
    return found.group() + "\n"


def _count_pins() -> int:
    return len(re.findall(r"^\w[\w.-]*==", LOCK.read_text(encoding="utf-8"), re.MULTILINE)) + 1


def _pip(python: Path, log: Path, what: str, *arguments: str) -> None:
    run_logged([str(python), "-m", "pip", "install", "--no-input", *arguments], log, what)


def _install_language_data(python: Path) -> None:
    script = Path(__file__).with_name("setup_language_data.py")
    code = subprocess.run([str(python), str(script)], env=clean_environment(), close_fds=False, check=False).returncode
    if code not in (0, NO_WORDNET):
        raise SetupError("installing NLTK's data failed (see above)")


def _write_stamp(venv: Path, facts: dict) -> None:
    draft = venv / f"{STAMP}.draft"
    draft.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    draft.replace(venv / STAMP)


if __name__ == "__main__":
    sys.exit(main())
