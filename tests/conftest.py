"""Fixtures and settings shared by all tests: no hub is asked, hypothesis draws the same examples every time."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# Set before any test module imports a library that reads them.
for name, value in {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "MPLBACKEND": "Agg",
    "WANDB_MODE": "disabled",
}.items():
    os.environ.setdefault(name, value)

settings.register_profile("same-every-time", derandomize=True, deadline=None)
settings.load_profile("same-every-time")

NO_LOCOMO = "needs the real LoCoMo"


def _locomo_path() -> Path:
    folder = os.environ.get("AMEM_DATA_DIR") or Path(__file__).resolve().parent.parent / "data"
    return Path(folder) / "locomo10.json"


@pytest.fixture(scope="session")
def locomo_file() -> Path:
    """The real locomo10.json; a test that asks for it is skipped, and counted at the end, where there is none."""
    path = _locomo_path()
    if not path.is_file():
        pytest.skip(f"{NO_LOCOMO}: no {path} (AMEM_DATA_DIR names its folder)")
    return path


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = [report for report in terminalreporter.stats.get("skipped", []) if NO_LOCOMO in str(report.longrepr)]
    if skipped:
        terminalreporter.section("real LoCoMo is missing", sep="!", yellow=True, bold=True)
        terminalreporter.line(
            f"NOT RUN: {len(skipped)} tests need the real LoCoMo and there is no {_locomo_path()}. "
            "`make reproduce-table1` downloads it; AMEM_DATA_DIR names another folder."
        )
