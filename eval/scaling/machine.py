"""What the machine gives: its cores, memory in use, and how fast it reads."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from eval.scaling.clock import repeated, timed


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def process_bytes() -> int:
    """Bytes of physical memory that this process holds now."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    done = subprocess.run(["ps", "-o", "rss=", "-p", str(os.getpid())], capture_output=True, text=True, check=True)
    return int(done.stdout) * 1024


def facts() -> dict[str, Any]:
    return {
        "cpu": _cpu_name(),
        "cores": cores(),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "load_average": list(os.getloadavg()),
        "platform": platform.platform(),
        "blas": np.show_config(mode="dicts")["Build Dependencies"]["blas"].get("name"),
        "openblas_coretype": os.environ.get("OPENBLAS_CORETYPE"),
    }


def _cpu_name() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


_WAYS: dict[str, Callable[[np.ndarray], Any]] = {"maximum": np.max, "sum of squares": lambda a: np.dot(a, a)}


class Reader:
    """Reads every byte of an array once, in the way that is fastest on this machine: the floor of any exact search."""

    def __init__(self, array: np.ndarray) -> None:
        """`array`: float32, contiguous. Some rounds of each way decide which is taken."""
        self._flat = array.reshape(-1)
        seconds = {name: min(repeated(self._read, [name] * 5, warm_up=1)) for name in _WAYS}
        self.way = min(seconds, key=lambda name: seconds[name])

    def __call__(self) -> float:
        """Seconds of one pass."""
        return timed(lambda: self._read(self.way))[0]

    def _read(self, name: str) -> Any:
        return _WAYS[name](self._flat)


def unwaited_seconds(n: int) -> list[float]:
    """Seconds of handing some work to another thread without waiting for it: what a clock that stops early sees."""
    with ThreadPoolExecutor(1) as pool:
        return repeated(lambda _: pool.submit(int), range(n))
