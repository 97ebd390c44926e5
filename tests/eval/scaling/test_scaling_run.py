"""A whole scaling run on the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.slow
def test_a_run_measures_each_cell_once_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    command = [
        sys.executable, "-m", "eval", "experiment=scaling", "dataset=sample", f"results_dir={tmp_path}",
        "scaling.sizes=[200]", "scaling.queries=10", "scaling.batch=20", "scaling.operations=1",
        "method=[readagent,amem]",
    ]  # fmt: skip
    first = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    (folder,) = tmp_path.glob("scaling-*")
    names = sorted(path.stem for path in (folder / "measurements").iterdir())
    assert names == ["200-amem", "200-random", "200-readagent", "200-text_like"]
    assert "Table 4" in first.stdout and "the sample that ships" in first.stdout
    assert json.loads((folder / "measurements" / "200-amem.json").read_text())["index_bytes"] > 200 * 384 * 4
    kept = {path.stem: path.stat().st_mtime_ns for path in (folder / "measurements").iterdir()}
    (folder / "measurements" / "200-amem.json").unlink()
    again = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found = {path.stem: path.stat().st_mtime_ns for path in (folder / "measurements").iterdir()}
    assert [name for name in kept if found[name] != kept[name]] == ["200-amem"]
    assert "600/800" in again.stderr
    starts = json.loads((folder / "manifest.json").read_text())["starts"]
    assert [start["measured"] for start in starts] == [4, 1]
    assert all("finished" in start and start["machine"]["cores"] for start in starts)
    cut = folder / "measurements" / "200-amem.json"
    cut.write_text(cut.read_text()[:100])
    refused = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert refused.returncode == 2 and f"{cut}: not JSON" in refused.stderr and "Encoding" not in refused.stderr
