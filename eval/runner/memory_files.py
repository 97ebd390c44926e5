"""Memories on disk: JSON and arrays beside each other, with a hash over both. Never a pickle."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from amem.contract import Snapshot
from amem.errors import ResultsError
from eval.runner.files import write_bytes, write_json


def memory_name(conversation: str, repeat: int) -> str:
    """File name, without its ending, of what one conversation became in one repeat."""
    return conversation if repeat == 0 else f"{conversation}.repeat{repeat}"


def memory_hash(snapshot: Snapshot) -> str:
    """SHA-256 over the canonical JSON of the state and the bytes of every array, 16 hex digits."""
    digest = hashlib.sha256(json.dumps(snapshot.state, sort_keys=True, ensure_ascii=False).encode())
    for name in sorted(snapshot.arrays):
        array = np.ascontiguousarray(snapshot.arrays[name])
        digest.update(f"{name}{array.dtype}{array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()[:16]


def save_memory(path: Path, snapshot: Snapshot, facts: Mapping[str, Any]) -> str:
    """Write `<path>.json` and `<path>.npz`; `facts` (calls, times) ride along unhashed. Returns the memory's hash.

    The JSON is written last and names the arrays' hash: a memory whose JSON is there is whole.
    """
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **dict(snapshot.arrays))
    write_bytes(path.with_name(path.name + ".npz"), buffer.getvalue())
    key = memory_hash(snapshot)
    write_json(path.with_name(path.name + ".json"), {"hash": key, "state": snapshot.state, "facts": facts})
    return key


def load_memory(path: Path) -> tuple[Snapshot, dict[str, Any]] | None:
    """The snapshot and its facts, or None where there is none; raises ResultsError where it is damaged."""
    json_path, arrays_path = path.with_name(path.name + ".json"), path.with_name(path.name + ".npz")
    if not json_path.exists():
        return None
    try:
        stored = json.loads(json_path.read_text("utf-8"))
        with np.load(arrays_path, allow_pickle=False) as arrays:
            snapshot = Snapshot(stored["state"], {name: arrays[name] for name in arrays.files})
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        raise ResultsError(f"{json_path}: the memory can't be read ({error}); delete it and run again") from error
    if memory_hash(snapshot) != stored["hash"]:
        raise ResultsError(f"{json_path}: the memory is not what was saved (hash differs); delete it and run again")
    return snapshot, stored["facts"]
