"""The benchmark of concurrency runs and finds the answers of many workers to be those of one."""

from __future__ import annotations

import re
from pathlib import Path

import benchmark_concurrency
import pytest


@pytest.mark.slow
def test_the_benchmark_prints_its_ratios_and_equal_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AMEM_DATA_DIR", str(tmp_path))  # the made conversations, whoever runs this
    monkeypatch.setattr("sys.argv", ["benchmark_concurrency.py"])
    assert benchmark_concurrency.main() == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("vectors recorded"))
    assert re.search(r"ratio \d\.\d+", line)
