"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def locomo_file() -> Path:
    """The real LoCoMo file in the folder that AMEM_DATA_DIR names; skips where there is none."""
    folder = os.environ.get("AMEM_DATA_DIR")
    path = Path(folder or "data") / "locomo10.json"
    if not path.is_file():
        pytest.skip(f"needs the real LoCoMo file, and there is no {path}; set AMEM_DATA_DIR to its folder")
    return path
