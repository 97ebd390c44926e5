"""An emulation, for tests, of the HTTP protocols of Ollama and of OpenAI. It is neither: it only speaks like them.

Real sockets on the loopback interface, so that the real clients (litellm, openai, ollama) can be driven against
scripted replies, planned faults, or the embedded model.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.servers import ollama, openai
from tests.servers.engine import Asked, Engine, ScriptedEngine
from tests.servers.faults import Fault, FaultPlan


@dataclass(frozen=True, slots=True)
class Seen:
    """A request as it came over the wire."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes back: one JSON value, or several as lines of a stream."""

    body: Any
    status: int = 200
    lines: Iterable[Any] | None = None


@dataclass
class Emulation:
    """A context manager: the server runs inside the block. `url` is its root, `seen` every request so far."""

    reply: Engine | Callable[[Asked], str]
    faults: Iterable[Fault | None] = ()
    models: Mapping[str, str] = field(default_factory=lambda: {"qwen2.5:1.5b": "sha256:" + "a1" * 32})
    """Ollama: tag → digest of what is installed; a pull adds to it."""
    key: str | None = None
    """OpenAI: the only key that is accepted; None accepts all."""
    version: str = "0.9.0"
    context_length: int = 131_072
    """Ollama: the tokens that its models were made for."""
    seen: list[Seen] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.engine: Engine = ScriptedEngine(self.reply) if callable(self.reply) else self.reply
        self.plan = FaultPlan(self.faults)
        self.models = dict(self.models)

    def __enter__(self) -> Emulation:
        handler = type("Handler", (_Handler,), {"emulation": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def chats(self) -> list[Seen]:
        """The requests that asked the model something."""
        return [seen for seen in self.seen if seen.path.endswith(("/api/chat", "/chat/completions"))]


class _Handler(BaseHTTPRequestHandler):
    emulation: Emulation
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._serve(b"")

    def do_POST(self) -> None:
        # litellm sends Ollama's bodies without a Content-Type; Ollama reads them all the same.
        self._serve(self.rfile.read(int(self.headers.get("Content-Length", 0))))

    def do_DELETE(self) -> None:
        self.do_POST()

    def _serve(self, raw: bytes) -> None:
        body = json.loads(raw) if raw else {}
        self.emulation.seen.append(Seen(self.path, self._headers(), body))
        protocol = openai if self.path.startswith("/v1/") else ollama
        chat = self.path in ("/v1/chat/completions", "/api/chat")
        fault = self.emulation.plan.next() if chat else Fault()
        time.sleep(fault.delay)
        if fault.status is not None:
            self._send(fault.status, fault.body or protocol.error_body(fault.status), fault)
            return
        answer = protocol.answer(self.emulation, self.path, self._headers(), body, fault)
        if answer.lines is not None:
            self._stream(answer.lines)
            return
        self._send(answer.status, fault.body if fault.body is not None else json.dumps(answer.body), fault)

    def _headers(self) -> dict[str, str]:
        return {name.lower(): value for name, value in self.headers.items()}

    def _send(self, status: int, text: str, fault: Fault) -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in fault.headers.items():
            self.send_header(name, value)
        self.end_headers()
        # A client that gave up waiting has closed its end.
        with suppress(ConnectionError):
            self.wfile.write(data[: len(data) // 2] if fault.cut else data)
        if fault.cut:
            self.close_connection = True

    def _stream(self, lines: Iterable[Any]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Connection", "close")
        self.end_headers()
        for line in lines:
            self.wfile.write(json.dumps(line).encode() + b"\n")
            self.wfile.flush()
        self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        pass
