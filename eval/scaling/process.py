"""A cell's process from start to end: it leaves neither itself nor a file behind, whatever ends the run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from amem.errors import HarnessError
from eval.config import RunConfig
from eval.runner.progress import TICK_SECONDS
from eval.scaling.cell import CellSpec, spec_of
from eval.scaling.config import ScalingConfig

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def do_cell(
    cell: CellSpec, config: RunConfig, folder: Path, scale: float, out: Path, tick: Callable[[], object]
) -> None:
    """Measure `cell` into `out`, calling `tick` about once a second; raises HarnessError where the process fails."""
    threads = str((config.scaling or ScalingConfig()).threads)
    command = [sys.executable, "-m", "eval.scaling.cell", str(out)]
    # A file without a name: nobody has to remove it, and a process that ends early breaks no pipe.
    with tempfile.TemporaryFile("w+", encoding="utf-8") as spec:
        json.dump(spec_of(cell, config, folder, scale), spec)
        spec.seek(0)
        env = {**os.environ, **dict.fromkeys(_THREADS, threads)}
        code = _ended(subprocess.Popen(command, env=env, stdin=spec, stdout=sys.stderr), tick)
    if code:
        raise HarnessError(f"scaling: cell {cell.name} {_told(code)}. Finished cells are kept")


@contextmanager
def sigterm_as_exit() -> Iterator[None]:
    """SIGTERM leaves this process as an exit does, with code 143: through whatever ends cells and keeps what is done.

    Only the main thread can say so; in another one SIGTERM stays what it is.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _leave)
    try:
        yield
    except SystemExit:
        print("stopped; finished cells are kept, and the same command goes on from there", file=sys.stderr)
        raise
    finally:
        signal.signal(signal.SIGTERM, before)


def _leave(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)


def _ended(process: subprocess.Popen, tick: Callable[[], object]) -> int:
    """The exit code; the process does not outlive an interrupt."""
    try:
        while True:
            try:
                return process.wait(TICK_SECONDS)
            except subprocess.TimeoutExpired:
                tick()
    except BaseException:
        process.kill()
        process.wait()
        raise


def _told(code: int) -> str:
    if code == -signal.SIGKILL:
        return f"was killed (code {code}), mostly for a lack of memory: leave the size out of scaling.sizes"
    return f"ended with code {code}; its own message is above"
