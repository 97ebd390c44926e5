"""The SQLite file below the record store: opening it, explaining its errors, and writing in shared commits."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amem.errors import ResultsError

APPLICATION_ID = 0x414D454D
VERSION = 1
BUSY_SECONDS = 60.0
_QUEUE = 256
"""Changes that nobody waits for are committed when they are so many."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, purpose TEXT NOT NULL, request TEXT NOT NULL,
                                    outcome TEXT NOT NULL, final INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS vectors (encoder TEXT NOT NULL, text_hash TEXT NOT NULL, vector BLOB NOT NULL,
                                    PRIMARY KEY (encoder, text_hash)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pins (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""


@contextmanager
def explained(path: Path | str) -> Iterator[None]:
    """Turn SQLite's errors into one line that says what to do."""
    try:
        yield
    except sqlite3.Error as error:
        raise ResultsError(f"record store {path}: {error}; {_way_out(error)}") from error


def _way_out(error: sqlite3.Error) -> str:
    text = str(error)
    if "full" in text or "disk I/O" in text:
        return "what was being written is not kept, all earlier records are: free some space and start again"
    if "locked" in text:
        return f"another process held it for over {BUSY_SECONDS:.0f} s"
    if "unable to open" in text or "readonly" in text:
        return "check that its folder exists and can be written"
    return "the file is damaged or no record store: move it away and import the last export, or start with a new one"


def open_database(path: Path | str) -> sqlite3.Connection:
    """A connection in autocommit mode, usable from any thread under a lock of the caller's."""
    connection = sqlite3.connect(
        path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=16
    )
    try:
        _prepare(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, path: Path | str) -> None:
    _enter_wal(connection)
    # NORMAL would lose the last commits at a power cut: replies that were paid for.
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("BEGIN IMMEDIATE")
    with _rolled_back_on_error(connection):
        found = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if tables and found != APPLICATION_ID:
            raise ResultsError(f"{path} is an SQLite file of something else, not a record store; name another file")
        if version > VERSION:
            raise ResultsError(f"record store {path} has format {version}, this version reads {VERSION}; update first")
        for statement in filter(str.strip, _SCHEMA.split(";")):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version={VERSION}")
        connection.execute("COMMIT")


def _enter_wal(connection: sqlite3.Connection) -> None:
    # SQLite does not wait for a lock in this statement, so processes that start together would fail here.
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


@contextmanager
def _rolled_back_on_error(connection: sqlite3.Connection) -> Iterator[None]:
    try:
        yield
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


@dataclass(slots=True, eq=False)
class _Job:
    statement: str
    parameters: Sequence[Any]
    awaited: bool = True
    done: bool = False
    error: BaseException | None = None


class Writer:
    """Writes of many threads in few commits: whoever gets the lock commits what all others have queued by then.

    A commit waits for the disk; with a commit a write, 32 threads would stand in line for it. Changes reach the disk in
    the order in which they were handed in: what is kept never builds on what was lost.
    """

    def __init__(self, connection: sqlite3.Connection, lock: threading.RLock) -> None:
        self._connection = connection
        self._lock = lock
        self._queue: list[_Job] = []
        self._queue_lock = threading.Lock()

    def write(self, statement: str, parameters: Sequence[Any]) -> None:
        """Returns when the change is on the disk; raises sqlite3.Error when it is not, and then nothing of it is."""
        job = _Job(statement, parameters)
        with self._queue_lock:
            self._queue.append(job)
        with self._lock:
            if not job.done:
                self._commit()
        if job.error is not None:
            raise job.error

    def write_later(self, statement: str, parameters: Sequence[Any]) -> None:
        """Returns at once; the change goes with the next commit. For what could be made again at no cost."""
        with self._queue_lock:
            self._queue.append(_Job(statement, parameters, awaited=False))
            full = len(self._queue) >= _QUEUE
        if full:
            self.flush()

    def flush(self) -> None:
        """Returns when all that was handed in is on the disk; raises sqlite3.Error."""
        with self._lock:
            self._commit()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing, for many statements of one caller."""
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            with _rolled_back_on_error(self._connection):
                yield self._connection
                self._connection.execute("COMMIT")

    def _commit(self) -> None:
        with self._queue_lock:
            jobs, self._queue = self._queue, []
        if not jobs:
            return
        try:
            with self.transaction() as connection:
                for job in jobs:
                    connection.execute(job.statement, job.parameters)
        except BaseException as error:
            for job in jobs:
                job.error = error
            # Each waiting caller raises it; where nobody waits, this one does.
            if not isinstance(error, sqlite3.Error) or not any(job.awaited for job in jobs):
                raise
        finally:
            for job in jobs:
                job.done = True
