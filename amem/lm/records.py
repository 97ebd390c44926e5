"""The record store: content hash of a request → what the model replied; text hash → vector.

One SQLite file, shared by threads and processes. A record is there whole or not at all, whatever kills the writer.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from amem.errors import ResultsError
from amem.lm import archive, outcomes
from amem.lm.flights import Flights
from amem.lm.keys import canonical_json
from amem.lm.outcomes import Outcome
from amem.lm.sqlite import Writer, explained, open_database
from amem.lm.types import Reply

# A final outcome is never overwritten: of two processes that ask the same at once, the first one's reply stands.
_PUT = """
INSERT INTO replies (key, purpose, request, outcome, final) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE SET purpose = excluded.purpose, outcome = excluded.outcome, final = excluded.final
WHERE replies.final = 0
"""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A reply with what is needed to judge it."""

    purpose: str
    schema: Mapping[str, Any] | None
    reply: Reply


class RecordStore:
    """Thread-safe. `path` is created where missing; `:memory:` keeps nothing beyond the process."""

    def __init__(self, path: Path | str) -> None:
        self.path = path
        in_memory = str(path) == ":memory:"
        if not in_memory:
            _make_folder(Path(path))
        with explained(path):
            write_connection = open_database(path)
            self._write_lock = threading.RLock()
            # Reads have a connection of their own, so that they don't wait while a commit waits for the disk.
            self._reader = write_connection if in_memory else open_database(path)
            self._read_lock = self._write_lock if in_memory else threading.RLock()
        self._connections = {write_connection, self._reader}
        self._writer = Writer(write_connection, self._write_lock)
        self._flights = Flights(None if in_memory else Path(f"{path}.flights"))
        # Those that may not be in the file yet.
        self._vectors: dict[tuple[str, str], np.ndarray] = {}

    def get(self, key: str) -> Outcome | None:
        """The recorded reply, or the recorded failure, or None."""
        row = self._row("SELECT outcome FROM replies WHERE key = ?", (key,))
        if row is None:
            return None
        try:
            return outcomes.from_json(row[0])
        except (ValueError, KeyError, TypeError) as error:
            raise ResultsError(
                f"record store {self.path}: record {key} is damaged ({error!r}); delete that row, or import an export"
            ) from error

    def put(self, key: str, request: str, purpose: str, outcome: Outcome) -> Outcome:
        """Record an outcome and return the one that now stands (another process may have been first).

        `request` is the text that `key` is the hash of (`amem.lm.keys.request_json`).
        """
        self._write(_PUT, (key, purpose, request, outcomes.to_json(outcome), int(outcomes.final(outcome))))
        standing = self.get(key)
        return outcome if standing is None else standing

    def get_request(self, key: str) -> str | None:
        """The request that a record answers (`amem.lm.keys.request_json`), for people to read."""
        row = self._row("SELECT request FROM replies WHERE key = ?", (key,))
        return None if row is None else row[0]

    def replies_of(self, identity: Mapping[str, Any]) -> list[Recorded]:
        """All replies that the provider of this identity gave, in the order of their keys."""
        # A quotation mark inside a message is escaped, so that this spelling is found in its own place only.
        spelled = f'"provider":{canonical_json(dict(identity))}'
        query = (
            "SELECT purpose, json_extract(request, '$.schema'), outcome FROM replies "
            "WHERE instr(request, ?) ORDER BY key"
        )
        with explained(self.path), self._read_lock:
            rows = self._reader.execute(query, (spelled,)).fetchall()
        found = [(purpose, schema, outcomes.from_json(outcome)) for purpose, schema, outcome in rows]
        return [
            Recorded(purpose, None if schema is None else json.loads(schema), outcome)
            for purpose, schema, outcome in found
            if isinstance(outcome, Reply)
        ]

    def single_flight(self, key: str) -> AbstractContextManager[None]:
        """One thread at a time for a key, of all processes on this machine: two that ask the same make one call."""
        return self._flights.only(key)

    def get_vector(self, encoder: str, text_hash: str) -> np.ndarray | None:
        row = self._row("SELECT vector FROM vectors WHERE encoder = ? AND text_hash = ?", (encoder, text_hash))
        if row is None:
            return self._vectors.get((encoder, text_hash))
        return np.frombuffer(row[0], dtype="<f4").astype(np.float32)

    def put_vector(self, encoder: str, text_hash: str, vector: np.ndarray) -> None:
        """Does not wait for the disk: a vector that is lost is computed again. It is there before any later reply."""
        self._vectors[encoder, text_hash] = vector
        data = np.ascontiguousarray(vector, dtype="<f4").tobytes()
        with explained(self.path):
            self._writer.write_later("INSERT OR IGNORE INTO vectors VALUES (?, ?, ?)", (encoder, text_hash, data))

    def get_pin(self, name: str) -> str | None:
        """What a name stood for when the records were made, such as the digest of a model's tag."""
        row = self._row("SELECT value FROM pins WHERE name = ?", (name,))
        return None if row is None else row[0]

    def put_pin(self, name: str, value: str) -> None:
        self._write("INSERT OR REPLACE INTO pins VALUES (?, ?)", (name, value))

    def counts(self) -> dict[str, int]:
        """Rows of each table."""
        self._flush()
        return {table: self._row(f"SELECT count(*) FROM {table}", ())[0] for table in archive.TABLES}  # type: ignore[index]

    def export(self, path: Path | str) -> dict[str, int]:
        """Write everything to one file; same records, same bytes. Returns the rows written, by table."""
        self._flush()
        with explained(self.path), self._read_lock:
            # One moment of all tables, whoever else writes meanwhile.
            self._reader.execute("BEGIN")
            try:
                return archive.write(self._reader, Path(path))
            finally:
                self._reader.execute("COMMIT")

    def import_(self, path: Path | str) -> dict[str, int]:
        """Take in an export, wholly or not at all. Returns the rows that were new, by table.

        Raises ResultsError where the file is damaged, or contradicts a record that is here already.
        """
        with explained(self.path), self._writer.transaction() as connection:
            return archive.read(connection, Path(path))

    def close(self) -> None:
        """Raises ResultsError where the last vectors can't be written; closed it is nevertheless."""
        with self._write_lock, self._read_lock:
            try:
                self._flush()
            finally:
                for connection in self._connections:
                    connection.close()
                self._flights.close()

    def __enter__(self) -> RecordStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _row(self, query: str, parameters: tuple[str, ...]) -> tuple | None:
        with explained(self.path), self._read_lock:
            return self._reader.execute(query, parameters).fetchone()

    def _flush(self) -> None:
        with explained(self.path):
            self._writer.flush()

    def _write(self, statement: str, parameters: tuple) -> None:
        with explained(self.path):
            self._writer.write(statement, parameters)


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ResultsError(f"record store {path}: its folder can't be made: {error}") from error
