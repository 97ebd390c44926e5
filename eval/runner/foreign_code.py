"""The code of memory methods that are not this project's: it decides answers as ours does."""

from __future__ import annotations

import hashlib
import importlib.util
from importlib.machinery import ModuleSpec
from pathlib import Path

from eval.composition import resolve_class
from eval.config import RunConfig

OURS = frozenset({"amem", "baselines", "eval"})


def foreign_code(config: RunConfig) -> dict[str, str]:
    """SHA-256 by method name over the Python files of the package (or over the one file) that its class stands in.

    What such a package imports from elsewhere is not seen.
    """
    modules = {name: resolve_class(method._target_).__module__ for name, method in config.methods.items()}
    packages = {name: module.partition(".")[0] for name, module in modules.items()}
    return {name: _hash(package) for name, package in packages.items() if package not in OURS}


def _hash(package: str) -> str:
    digest = hashlib.sha256()
    for path in _files(importlib.util.find_spec(package)):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _files(spec: ModuleSpec | None) -> list[Path]:
    if spec is None:
        return []
    if spec.submodule_search_locations:
        return [path for folder in spec.submodule_search_locations for path in sorted(Path(folder).rglob("*.py"))]
    return [Path(spec.origin)] if spec.origin else []
