"""With a slow model a run takes little longer than its longest chain of calls, and its answers stay the same."""

from __future__ import annotations

from pathlib import Path

import benchmark_concurrency
import pytest


@pytest.mark.slow
def test_ten_conversations_side_by_side_stay_near_their_longest_chain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AMEM_DATA_DIR", str(tmp_path))  # the made conversations, whoever runs this
    monkeypatch.setattr("sys.argv", ["benchmark_concurrency.py"])
    assert benchmark_concurrency.main() == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("vectors recorded"))
    assert float(line.partition("ratio ")[2].partition(",")[0]) < 1.5, "1.15 on idle cores; this machine may be busy"
