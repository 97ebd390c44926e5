"""Fetching one file of known content: quick to give up, whole or not at all."""

from __future__ import annotations

import hashlib
import http.client
import os
import queue
import threading
import time
import urllib.error
import urllib.request
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from tqdm import tqdm

from amem.errors import DataError

_NETWORK_FAULTS = (OSError, http.client.HTTPException)


class DownloadFailed(DataError):
    """The address could not be reached, or did not give the file; the message says which."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds to wait before a download is given up."""

    opening: float = 8.0
    """Until the server answers: name lookup, connection and headers together."""
    silence: float = 5.0
    """Without a byte."""
    whole: float = 180.0


def fetch(address: str, target: Path, sha256: str, limits: Limits | None = None) -> None:
    """Write the file at `address` to `target`, once its SHA-256 is known to be right.

    Raises DownloadFailed, or DataError where `target` can't be written. Then `target` is as it was before.
    """
    limits = limits or Limits()
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    with _open(address, limits) as response:
        try:
            part.parent.mkdir(parents=True, exist_ok=True)
            with part.open("wb") as file:
                found = _copy(response, file, address, limits)
            if found != sha256:
                raise DownloadFailed(f"{address} gave another file than expected (SHA-256 {found}, not {sha256})")
            os.replace(part, target)
        except OSError as error:
            cure = "Make the folder writable, or name another in AMEM_DATA_DIR"
            raise DataError(f"{target}: can't be written ({error.strerror}). {cure}.") from error
        finally:
            _remove(part)


def _remove(part: Path) -> None:
    with suppress(OSError):
        part.unlink()


def _open(address: str, limits: Limits) -> Any:
    """The server's response. In a thread, since no socket timeout bounds the name lookup."""
    answer: queue.Queue[Any] = queue.Queue()
    threading.Thread(target=_answer, args=(address, limits, answer), daemon=True).start()
    try:
        response = answer.get(timeout=limits.opening)
    except queue.Empty:
        raise DownloadFailed(f"{address} did not answer within {limits.opening:g} s") from None
    if isinstance(response, Exception):
        plain = response.reason if type(response) is urllib.error.URLError else response
        raise DownloadFailed(f"{address} can't be reached ({plain})") from response
    return response


def _answer(address: str, limits: Limits, answer: queue.Queue[Any]) -> None:
    request = urllib.request.Request(address, headers={"User-Agent": "amem-reproduction"})
    try:
        answer.put(urllib.request.urlopen(request, timeout=limits.silence))
    except _NETWORK_FAULTS as error:
        answer.put(error)


def _copy(response: Any, file: BinaryIO, address: str, limits: Limits) -> str:
    """Copy the body and return its SHA-256."""
    size = response.length
    digest, received, started = hashlib.sha256(), 0, time.monotonic()
    with tqdm(total=size, desc=Path(address).name, unit="B", unit_scale=True, disable=None) as bar:
        while chunk := _read(response, address):
            file.write(chunk)
            digest.update(chunk)
            received += len(chunk)
            bar.update(len(chunk))
            if time.monotonic() - started > limits.whole:
                raise DownloadFailed(f"{address} was too slow: {received:,} bytes in {limits.whole:g} s")
    if size is not None and received < size:
        raise DownloadFailed(f"{address}: the connection was cut after {received:,} of {size:,} bytes")
    return digest.hexdigest()


def _read(response: Any, address: str) -> bytes:
    """One piece as it comes in: read() would wait for a full buffer, and a trickle would outlast every limit."""
    try:
        return response.read1(1 << 16)
    except _NETWORK_FAULTS as error:
        raise DownloadFailed(f"{address}: the connection broke off ({error})") from error
