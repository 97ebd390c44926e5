"""Downloads against a server of our own on the loopback interface."""

import hashlib
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from amem.errors import DataError
from eval.datasets import locate
from eval.datasets.download import DownloadFailed, Limits, fetch

BODY = b'[{"invented": true}]' * 500
GOOD = hashlib.sha256(BODY).hexdigest()
QUICK = Limits(opening=5, silence=0.5, whole=1)


class Server(BaseHTTPRequestHandler):
    def do_GET(self):
        getattr(self, f"reply_{self.path[1:]}")()

    def reply_good(self):
        self.start(200, len(BODY))
        self.wfile.write(BODY)

    def reply_without_length(self):
        self.start(200, None)
        self.wfile.write(BODY)

    def reply_other(self):
        self.start(200, 5)
        self.wfile.write(b"other")

    def reply_cut(self):
        self.start(200, len(BODY))
        self.wfile.write(BODY[:100])

    def reply_missing(self):
        self.send_error(404)

    def reply_silent(self):
        self.server.released.wait(5)

    def reply_stalled(self):
        self.start(200, len(BODY))
        self.wfile.write(BODY[:100])
        self.wfile.flush()
        self.server.released.wait(5)

    def reply_trickle(self):
        self.start(200, len(BODY))
        for byte in BODY:
            if self.server.released.wait(0.05):
                return
            self.wfile.write(bytes([byte]))

    def start(self, status, length):
        self.send_response(status)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    server.daemon_threads = True
    server.released = threading.Event()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.released.set()
    server.shutdown()
    server.server_close()


@pytest.fixture
def dead_address():
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{probe.getsockname()[1]}/file"


@pytest.mark.parametrize("path", ["good", "without_length"])
def test_a_good_file_is_written_into_a_new_folder(address, tmp_path, path):
    target = tmp_path / "new" / "folder" / "file.json"
    fetch(f"{address}/{path}", target, GOOD, QUICK)
    assert target.read_bytes() == BODY
    assert [p.name for p in target.parent.iterdir()] == ["file.json"]


@pytest.mark.parametrize(
    ("path", "complaint"),
    [
        ("other", "gave another file than expected"),
        ("cut", "cut after 100 of 10,000 bytes"),
        ("missing", "404"),
        ("silent", "can't be reached"),
        ("stalled", "broke off"),
        ("trickle", "too slow"),
    ],
)
def test_a_bad_download_is_named_and_leaves_nothing(address, tmp_path, path, complaint):
    started = time.monotonic()
    with pytest.raises(DownloadFailed, match=complaint) as caught:
        fetch(f"{address}/{path}", tmp_path / "file.json", GOOD, QUICK)
    assert f"{address}/{path}" in str(caught.value)
    assert list(tmp_path.iterdir()) == []
    assert time.monotonic() - started < 5


def test_a_bad_download_leaves_the_old_file(address, tmp_path):
    (tmp_path / "file.json").write_text("old")
    with pytest.raises(DownloadFailed):
        fetch(f"{address}/other", tmp_path / "file.json", GOOD, QUICK)
    assert (tmp_path / "file.json").read_text() == "old"


def test_a_dead_address_is_named(dead_address, tmp_path):
    with pytest.raises(DownloadFailed, match=dead_address):
        fetch(dead_address, tmp_path / "file.json", GOOD, QUICK)


def test_a_lookup_that_hangs_is_given_up(monkeypatch, tmp_path):
    released = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: released.wait(5) and [])
    with pytest.raises(DownloadFailed, match=r"did not answer within 0\.3 s"):
        fetch("http://locomo.invalid/file", tmp_path / "file.json", GOOD, Limits(opening=0.3))
    released.set()


def test_the_shipped_limits_give_up_within_ten_seconds():
    assert Limits().opening < 10
    assert Limits().silence < 10


def test_a_folder_that_can_not_be_made_is_named(address, tmp_path):
    (tmp_path / "taken").write_text("a file, no folder")
    with pytest.raises(DataError, match=r"taken.*AMEM_DATA_DIR") as caught:
        fetch(f"{address}/good", tmp_path / "taken" / "file.json", GOOD, QUICK)
    assert not isinstance(caught.value, DownloadFailed)


def test_find_downloads_what_is_not_there(address, tmp_path, monkeypatch):
    monkeypatch.setattr(locate, "SHA256", GOOD)
    found = locate.find_locomo(tmp_path, address=f"{address}/good")
    assert (found.path, found.kind) == (tmp_path / "locomo10.json", "official")
    assert found.path.read_bytes() == BODY
