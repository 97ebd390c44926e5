"""Temporary folders that a killed process leaves behind are removed by the next one."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

_PREFIX = "amem-embedded-"


def scratch_folder() -> tempfile.TemporaryDirectory[str]:
    """A folder of this process, removed at its end."""
    return tempfile.TemporaryDirectory(prefix=f"{_PREFIX}{os.getpid()}-", ignore_cleanup_errors=True)


def remove_left_behind() -> None:
    """Remove the folders of processes that are no more (they had no chance to, if killed by signal 9)."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        owner = folder.name.removeprefix(_PREFIX).split("-")[0]
        if owner.isdigit() and not _alive(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)


def _alive(pid: int) -> bool:
    if os.name != "posix":
        return True
    with contextlib.suppress(PermissionError):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
    return True
