"""A record store as one file that can be handed on: JSON lines under xz, closed by a checksum.

The first line names the format, then comes one line a row, the last line counts them and carries the SHA-256 of all
lines before it. A request's key is the hash of its own text, so every reply can be checked against what was asked.

xz finds what prompts share over megabytes: the full-context prompts of LoCoMo shrink a hundredfold, under gzip tenfold.
"""

from __future__ import annotations

import base64
import hashlib
import json
import lzma
import os
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from amem.errors import ResultsError
from amem.lm import outcomes
from amem.lm.keys import canonical_json, key_of
from amem.lm.types import Reply

FORMAT = {"format": "amem-records", "version": 1}
PRESET = 3
"""A dictionary of 4 MiB: the least that spans several full-context prompts."""
TABLES = {
    "replies": ("key", "purpose", "request", "outcome", "final"),
    "vectors": ("encoder", "text_hash", "vector"),
    "pins": ("name", "value"),
}


def write(connection: sqlite3.Connection, path: Path) -> dict[str, int]:
    """Export all tables to `path`, which is replaced only when the new file is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=path.name, dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as raw:
            with lzma.open(raw, "wb", preset=PRESET) as file:
                counts = _write_lines(connection, file)
            raw.flush()
            os.fsync(raw.fileno())
        os.replace(name, path)
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise ResultsError(f"{path}: the export can't be written: {error}") from error
        raise
    return counts


def _write_lines(connection: sqlite3.Connection, file: lzma.LZMAFile) -> dict[str, int]:
    digest = hashlib.sha256()
    counts = dict.fromkeys(TABLES, 0)

    def line(value: Any) -> None:
        data = (canonical_json(value) + "\n").encode("ascii")
        digest.update(data)
        file.write(data)

    line(FORMAT)
    for table, columns in TABLES.items():
        # In the order of keys: same records, same bytes.
        order = f"{columns[0]}, {columns[1]}"
        for row in connection.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY {order}"):
            line([table, *(_packed(cell) for cell in row)])
            counts[table] += 1
    line({"end": counts, "sha256": digest.hexdigest()})
    return counts


def _packed(cell: Any) -> Any:
    return base64.b64encode(cell).decode("ascii") if isinstance(cell, bytes) else cell


def read(connection: sqlite3.Connection, path: Path) -> dict[str, int]:
    """Insert an export's rows; the caller's transaction is rolled back by any error."""
    new: Counter[str] = Counter(dict.fromkeys(TABLES, 0))
    for table, cells in _checked_lines(path):
        new[table] += _insert(connection, path, table, cells)
    return dict(new)


def _checked_lines(path: Path) -> Iterator[tuple[str, list[Any]]]:
    digest = hashlib.sha256()
    counts: Counter[str] = Counter(dict.fromkeys(TABLES, 0))
    ended = False
    try:
        with lzma.open(path, "rb") as file:
            for number, data in enumerate(file, start=1):
                value = json.loads(data)
                if number == 1:
                    _check_format(path, value)
                elif isinstance(value, dict):
                    ended = _check_end(path, value, counts, digest.hexdigest())
                else:
                    table, *cells = value
                    counts[table] += 1
                    yield table, cells
                digest.update(data)
    except FileNotFoundError as error:
        raise ResultsError(f"{path}: there is no such file of records") from error
    except (OSError, EOFError, lzma.LZMAError, ValueError, KeyError, TypeError) as error:
        raise ResultsError(f"{path} is no whole export of a record store ({error}); fetch it again") from error
    if not ended:
        raise ResultsError(f"{path} is cut off: its last line is missing; fetch it again")


def _check_format(path: Path, value: Any) -> None:
    if value != FORMAT:
        raise ResultsError(f"{path} is not an export of this version's record store (it begins with {value!r:.80})")


def _check_end(path: Path, value: dict[str, Any], counts: Counter[str], digest: str) -> bool:
    if value != {"end": dict(counts), "sha256": digest}:
        raise ResultsError(f"{path} was changed after it was written: its checksum does not fit; fetch it again")
    return True


def _insert(connection: sqlite3.Connection, path: Path, table: str, cells: list[Any]) -> int:
    columns = TABLES[table]
    if table == "vectors":
        cells[2] = base64.b64decode(cells[2], validate=True)
    if table == "replies":
        _check_reply(connection, path, cells)
    marks = ", ".join("?" * len(columns))
    return connection.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", cells).rowcount


def _check_reply(connection: sqlite3.Connection, path: Path, cells: list[Any]) -> None:
    key, _, request, outcome, final = cells
    if key_of(request) != key:
        raise ResultsError(f"{path}: record {key} does not belong to the request beside it")
    known = connection.execute("SELECT outcome, final FROM replies WHERE key = ?", (key,)).fetchone()
    if known is None:
        outcomes.from_json(outcome)
    elif final and not known[1]:
        connection.execute("DELETE FROM replies WHERE key = ?", (key,))
    elif final and _substance(known[0]) != _substance(outcome):
        raise ResultsError(f"{path}: record {key} replies otherwise than the one here; import into a new store")


def _substance(text: str) -> Any:
    """What a reply says, without how long it took and on which machine."""
    outcome = outcomes.from_json(text)
    return (outcome.text, outcome.finish_reason) if isinstance(outcome, Reply) else outcome.kind
