"""Writing files so that a reader finds the old content or the new, never a part."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from amem.errors import ResultsError


def write_bytes(path: Path, content: bytes) -> None:
    """Replace `path` in one step; its folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def write_text(path: Path, content: str) -> None:
    write_bytes(path, content.encode("utf-8"))


def write_json(path: Path, value: Any) -> None:
    write_text(path, json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n")


def json_line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n"


def write_jsonl(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    write_text(path, "".join(json_line(row) for row in rows))


def read_jsonl(path: Path, *, tolerate_cut_end: bool = False) -> Iterator[dict[str, Any]]:
    """Rows of a JSON-lines file; a last line without its newline (a killed writer) may be passed over."""
    # JSON leaves U+2028 and its like unescaped: only "\n" ends a row, not all that str.splitlines takes for a line end.
    try:
        lines = path.read_text("utf-8").split("\n")
    except UnicodeError as error:
        raise ResultsError(f"{path}: not UTF-8 ({error}); delete the file, and run again") from error
    for number, line in enumerate(lines, start=1):
        last = number == len(lines)
        if not line or (last and tolerate_cut_end):
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise ResultsError(f"{path}:{number}: not a JSON line ({error}); delete the line or the file") from error
        if not isinstance(row, dict):
            raise ResultsError(f"{path}:{number}: an object is needed, found {type(row).__name__}")
        yield row
