"""Headless Chromium through chromedriver, by the WebDriver protocol (W3C) itself: a few calls need no library."""

from __future__ import annotations

import base64
import shutil
import socket
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

_ARGUMENTS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]

_KEYS = {"Tab": (9, ""), "Enter": (13, "\r"), " ": (32, " "), "ArrowLeft": (37, "")}
"""Windows' key codes, and what a key types."""


def programs() -> tuple[str, str] | None:
    """Chromium and chromedriver, or None where either is missing."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    return (chromium, driver) if chromium and driver else None


class Browser:
    """A session on one window; close it by leaving its `with`."""

    def __init__(self, chromium: str, driver: str) -> None:
        port = _free_port()
        self._process = subprocess.Popen(
            [driver, f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        # No proxy of the machine may stand between this and the driver beside it.
        self._client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False)
        options = {"binary": chromium, "args": _ARGUMENTS}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        self._wait_for_driver()
        self._session = self._post("/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]

    def open(self, page: Path, state: str = "") -> None:
        """Open a report, and wait until it is unpacked."""
        self._call("url", {"url": "about:blank"})
        self._call("url", {"url": page.as_uri() + (f"#{state}" if state else "")})
        self.until("return document.documentElement.dataset.ready !== undefined")

    def run(self, script: str, *arguments: Any) -> Any:
        """The body of a function, run in the page; a promise is waited for."""
        return self._call("execute/sync", {"script": script, "args": list(arguments)})

    def until(self, script: str, *arguments: Any) -> Any:
        """The first true value of `script`, within ten seconds."""
        end = time.monotonic() + 10
        while not (value := self.run(script, *arguments)):
            assert time.monotonic() < end, f"never true: {script}"
            time.sleep(0.05)
        return value

    def devtools(self, command: str, **parameters: Any) -> None:
        self._call("goog/cdp/execute", {"cmd": command, "params": parameters})

    def key(self, name: str) -> None:
        """Press and release one key, as the keyboard does: `Tab`, `Enter`, `ArrowLeft`, a space."""
        code, text = _KEYS[name]
        same = {"key": name, "windowsVirtualKeyCode": code}
        self.devtools("Input.dispatchKeyEvent", type="keyDown", **same, **({"text": text} if text else {}))
        self.devtools("Input.dispatchKeyEvent", type="keyUp", **same)

    def size(self, width: int, height: int = 900) -> None:
        self.devtools(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )

    def screenshot(self, path: Path) -> None:
        response = self._client.get(f"/session/{self._session}/screenshot")
        path.write_bytes(base64.b64decode(response.json()["value"]))

    def console(self) -> list[str]:
        """What the console said since the last time, errors and warnings."""
        entries = self._call("se/log", {"type": "browser"})
        return [entry["message"] for entry in entries if entry["level"] in ("SEVERE", "WARNING")]

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._client.delete(f"/session/{self._session}")
        self._client.close()
        self._process.terminate()
        self._process.wait(10)

    def _call(self, name: str, body: dict[str, Any]) -> Any:
        return self._post(f"/session/{self._session}/{name}", body)

    def _post(self, path: str, body: dict[str, Any]) -> Any:
        value = self._client.post(path, json=body).json()["value"]
        assert not (isinstance(value, dict) and "error" in value), value
        return value

    def _wait_for_driver(self) -> None:
        end = time.monotonic() + 20
        while True:
            try:
                self._client.get("/status")
                return
            except httpx.TransportError:
                assert time.monotonic() < end, "chromedriver does not answer"
                time.sleep(0.1)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
