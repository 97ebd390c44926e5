from __future__ import annotations

import json
import lzma
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from amem.errors import ResultsError
from amem.lm.keys import key_of, request_json
from amem.lm.records import RecordStore
from amem.lm.types import FailureKind, Message, ModelFailure, Reply, Request, Sampling, Usage

ROOT = Path(__file__).parents[3]


def keyed(text: str) -> tuple[str, str]:
    request = Request((Message("user", text),), "p", None, Sampling(0.0, 1.0, 8, 0))
    body = request_json({"provider": "test"}, request)
    return key_of(body), body


def reply(text: str, seconds: float = 0.5) -> Reply:
    return Reply(text, Usage(3, 2, 1), seconds, "length", {"model": "m"})


def put(store: RecordStore, question: str, outcome) -> str:
    key, body = keyed(question)
    store.put(key, body, "p", outcome)
    return key


@pytest.fixture
def store(tmp_path):
    with RecordStore(tmp_path / "records.sqlite") as store:
        yield store


def test_a_reply_comes_back_as_it_was(store):
    assert store.get(put(store, "q", reply('ä\u0000 "x" \n 😀'))) == reply('ä\u0000 "x" \n 😀')
    assert store.get("unknown") is None


def test_a_failure_comes_back_with_kind_and_raw_text(store):
    key = put(store, "q", ModelFailure(FailureKind.TRUNCATED_PROMPT, "cut", raw="half", details={"window": 8}))
    back = store.get(key)
    assert (back.kind, str(back), back.raw, back.details) == (
        FailureKind.TRUNCATED_PROMPT, "cut", "half", {"window": 8},
    )  # fmt: skip


def test_the_first_reply_stands_and_a_passing_failure_gives_way(store):
    key = put(store, "q", ModelFailure(FailureKind.TIMEOUT, "slow"))
    put(store, "q", reply("first"))
    key, body = keyed("q")
    assert store.put(key, body, "p", reply("second")) == reply("first")
    assert store.put(key, body, "p", ModelFailure(FailureKind.TIMEOUT, "slow")) == reply("first")


def test_the_request_can_be_read_by_people(store, tmp_path):
    put(store, "Who bought the kiln?", reply("Ines"))
    with sqlite3.connect(tmp_path / "records.sqlite") as connection:
        (text,) = connection.execute("SELECT request FROM replies").fetchone()
    assert json.loads(text)["messages"] == [{"content": "Who bought the kiln?", "role": "user"}]


def test_vectors_keep_their_bits(store):
    vector = np.random.default_rng(0).standard_normal(16).astype(np.float32)
    store.put_vector("encoder", "hash", vector)
    back = store.get_vector("encoder", "hash")
    assert back.dtype == np.float32 and back.tobytes() == vector.tobytes()
    assert store.get_vector("other", "hash") is None


def test_an_export_is_the_same_bytes_for_the_same_records(tmp_path):
    for name, order in (("a", (1, 2)), ("b", (2, 1))):
        with RecordStore(tmp_path / f"{name}.sqlite") as store:
            for number in order:
                put(store, str(number), reply(str(number)))
            store.put_vector("e", "h", np.ones(3, np.float32))
            store.export(tmp_path / f"{name}.xz")
    assert (tmp_path / "a.xz").read_bytes() == (tmp_path / "b.xz").read_bytes()


def test_an_import_brings_everything_once(store, tmp_path):
    key = put(store, "q", reply("r"))
    store.put_vector("e", "h", np.arange(3, dtype=np.float32))
    store.put_pin("ollama:m", "digest")
    assert store.export(tmp_path / "x.xz") == {"replies": 1, "vectors": 1, "pins": 1}
    with RecordStore(tmp_path / "new.sqlite") as new:
        assert new.import_(tmp_path / "x.xz") == {"replies": 1, "vectors": 1, "pins": 1}
        assert new.import_(tmp_path / "x.xz") == {"replies": 0, "vectors": 0, "pins": 0}
        assert new.get(key) == reply("r") and new.get_pin("ollama:m") == "digest"
        assert new.get_vector("e", "h").tolist() == [0, 1, 2]


def test_an_import_that_contradicts_is_refused_and_one_that_only_took_longer_is_not(tmp_path):
    for name, outcome in (("a", reply("x")), ("b", reply("y")), ("c", reply("x", seconds=9.0))):
        with RecordStore(tmp_path / f"{name}.sqlite") as store:
            put(store, "q", outcome)
            store.export(tmp_path / f"{name}.xz")
    with RecordStore(tmp_path / "a.sqlite") as store:
        store.import_(tmp_path / "c.xz")
        with pytest.raises(ResultsError, match="replies otherwise"):
            store.import_(tmp_path / "b.xz")


def _lines(path: Path) -> list[bytes]:
    return lzma.decompress(path.read_bytes()).splitlines(keepends=True)


def _cut_file(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def _cut_lines(path: Path) -> None:
    path.write_bytes(lzma.compress(b"".join(_lines(path)[:-1])))


def _changed_reply(path: Path) -> None:
    path.write_bytes(lzma.compress(b"".join(_lines(path)).replace(b"blue", b"grey")))


def _foreign_json(path: Path) -> None:
    path.write_bytes(lzma.compress(b'{"some": "thing"}\n'))


def _no_xz(path: Path) -> None:
    path.write_text("hello")


@pytest.mark.parametrize("damage", [_cut_file, _cut_lines, _changed_reply, _foreign_json, _no_xz, Path.unlink])
def test_a_damaged_export_is_refused_and_nothing_of_it_kept(store, tmp_path, damage):
    put(store, "q", reply("blue"))
    store.export(tmp_path / "x.xz")
    damage(tmp_path / "x.xz")
    with RecordStore(tmp_path / "new.sqlite") as new:
        with pytest.raises(ResultsError, match=r"x\.xz"):
            new.import_(tmp_path / "x.xz")
        assert set(new.counts().values()) == {0}


def test_a_damaged_database_is_named(tmp_path):
    path = tmp_path / "records.sqlite"
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(ResultsError, match=r"records\.sqlite.*damaged or no record store"):
        RecordStore(path)


def test_a_database_of_something_else_is_left_alone(tmp_path):
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE replies (key)")
    before = path.read_bytes()
    with pytest.raises(ResultsError, match="SQLite file of something else"):
        RecordStore(path)
    assert path.read_bytes()[100:] == before[100:]


def test_a_damaged_record_is_named(store, tmp_path):
    key = put(store, "q", reply("r"))
    with sqlite3.connect(tmp_path / "records.sqlite") as connection:
        connection.execute("UPDATE replies SET outcome = '{\"reply\": {}}'")
    with pytest.raises(ResultsError, match=key):
        store.get(key)


WRITER = """
import sys
from tests.amem.lm.test_records import keyed, reply
from amem.lm.records import RecordStore
store = RecordStore(sys.argv[1])
for number in range(int(sys.argv[3])):
    name = f"{sys.argv[2]}-{number}"
    key, body = keyed(name)
    store.put(key, body, "p", reply(name * 200))
    print(number, flush=True)
"""


def writer(path: Path, name: str, count: int, **options) -> subprocess.Popen:
    command = [sys.executable, "-c", WRITER, str(path), name, str(count)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def acknowledged(process: subprocess.Popen) -> int:
    return len(process.stdout.read().splitlines())


def test_kill_9_in_the_middle_of_writing_loses_nothing_that_was_acknowledged(tmp_path):
    path = tmp_path / "records.sqlite"
    process = writer(path, "w", 1_000_000)
    for _ in range(50):
        process.stdout.readline()
    os.kill(process.pid, signal.SIGKILL)
    count = 50 + acknowledged(process)
    process.wait()
    with RecordStore(path) as store:
        for number in range(count):
            name = f"w-{number}"
            assert store.get(keyed(name)[0]) == reply(name * 200)
        assert count <= store.counts()["replies"] <= count + 1
        put(store, "after", reply("still writable"))


VECTOR_WRITER = """
import resource, sys
import numpy as np
from tests.amem.lm.test_records import keyed, reply
from amem.lm.records import RecordStore
store = RecordStore(sys.argv[1])
if sys.argv[2] == "full":
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
for number in range(1_000):
    store.put_vector("e", str(number), np.full(384, number, np.float32))
    if sys.argv[2] == "replies":
        key, body = keyed(str(number))
        store.put(key, body, "p", reply("built on that vector"))
        print(number, flush=True)
store.close()
"""


def vector_writer(path: Path, how: str) -> subprocess.Popen:
    command = [sys.executable, "-c", VECTOR_WRITER, str(path), how]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_kill_9_leaves_no_reply_without_the_vectors_before_it(tmp_path):
    path = tmp_path / "records.sqlite"
    process = vector_writer(path, "replies")
    for _ in range(30):
        process.stdout.readline()
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    with RecordStore(path) as store:
        kept = store.counts()
        assert kept["vectors"] >= kept["replies"] >= 30
        assert all(store.get_vector("e", str(number)) is not None for number in range(kept["replies"]))


def test_vectors_that_no_disk_takes_are_an_error_though_nobody_waits_for_them(tmp_path):
    process = vector_writer(tmp_path / "records.sqlite", "full")
    _, error = process.communicate()
    assert process.returncode and "ResultsError" in error and "free some space and start again" in error


def test_a_vector_is_there_at_once_and_in_the_file_after_closing(tmp_path):
    with RecordStore(tmp_path / "records.sqlite") as store:
        store.put_vector("e", "h", np.ones(3, np.float32))
        assert store.get_vector("e", "h").tolist() == [1, 1, 1]
    with RecordStore(tmp_path / "records.sqlite") as store:
        assert store.get_vector("e", "h").tolist() == [1, 1, 1]


def test_processes_write_side_by_side(tmp_path):
    path = tmp_path / "records.sqlite"
    processes = [writer(path, name, 40) for name in "abc"]
    errors = [process.communicate()[1] for process in processes]
    assert errors == ["", "", ""]
    with RecordStore(path) as store:
        assert store.counts()["replies"] == 120


def test_a_full_disk_is_a_clear_error_and_leaves_whole_records(tmp_path):
    path = tmp_path / "records.sqlite"
    limit = 600_000
    process = writer(path, "w", 10_000, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    output, error = process.communicate()
    count = len(output.splitlines())
    assert "ResultsError" in error and "free some space and start again" in error
    assert 0 < count < 10_000
    with RecordStore(path) as store:
        assert count <= store.counts()["replies"] <= count + 1
        assert store.get(keyed(f"w-{count - 1}")[0]) == reply(f"w-{count - 1}" * 200)
        put(store, "after", reply("there is room again"))


def test_threads_share_commits_and_every_write_is_kept(store):
    threads = [
        threading.Thread(target=lambda t=t: [put(store, f"{t}-{n}", reply("x")) for n in range(20)]) for t in range(16)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.counts()["replies"] == 320


def test_single_flight_is_one_at_a_time_for_a_key_and_no_wait_for_others(store):
    order: list[str] = []

    def fly(key: str, name: str, seconds: float) -> None:
        with store.single_flight(key):
            order.append(f"{name} in")
            time.sleep(seconds)
            order.append(f"{name} out")

    threads = [threading.Thread(target=fly, args=args) for args in (("k", "a", 0.1), ("k", "b", 0), ("other", "c", 0))]
    for thread in threads:
        thread.start()
        time.sleep(0.02)
    for thread in threads:
        thread.join()
    assert order == ["a in", "c in", "c out", "a out", "b in", "b out"]
