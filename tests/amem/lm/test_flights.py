"""One asker at a time for a key, whatever thread or process it is in."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

from amem.lm.flights import Flights

ROOT = Path(__file__).parents[3]
HOLDER = """
import sys, time
from pathlib import Path
from amem.lm.flights import Flights
with Flights(Path(sys.argv[1])).only(sys.argv[2]):
    print("inside", flush=True)
    time.sleep(float(sys.argv[3]))
"""


def holder(path: Path, key: str, seconds: float) -> subprocess.Popen[str]:
    """A process that is inside with `key` when this returns."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path), key, str(seconds)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "inside\n"
    return process


def seconds_to_get_in(path: Path, key: str) -> float:
    start = time.monotonic()
    with Flights(path).only(key):
        return time.monotonic() - start


def test_another_process_waits_for_the_same_key_and_for_no_other(tmp_path: Path) -> None:
    path = tmp_path / "flights"
    with holder(path, "same", 1.0) as process:
        assert seconds_to_get_in(path, "other") < 0.5
        assert process.poll() is None
        assert seconds_to_get_in(path, "same") > 0.2
        assert process.wait() == 0


def test_a_killed_process_blocks_nobody(tmp_path: Path) -> None:
    path = tmp_path / "flights"
    with holder(path, "same", 60.0) as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert seconds_to_get_in(path, "same") < 1.0


def test_a_process_that_is_alone_needs_no_file() -> None:
    flights = Flights(None)
    with flights.only("a"), flights.only("b"):
        pass
    flights.close()
