"""What can be told of a server by its address alone."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

CONNECT_SECONDS = 5.0


def is_own(api_base: str) -> bool:
    """Whether the address lies on this machine or in a private network, where nobody sends a bill."""
    host = urlsplit(api_base).hostname or ""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return host == "localhost" or (host != "" and "." not in host) or host.endswith((".local", ".internal"))


def unreachable(api_base: str) -> str | None:
    """Why no connection to the address can be made, or None where one can."""
    address = urlsplit(api_base)
    try:
        port = address.port or (443 if address.scheme == "https" else 80)
        socket.create_connection((address.hostname or "", port), CONNECT_SECONDS).close()
    except (OSError, ValueError) as error:
        return f"no server answers at {api_base} ({error}): start it, or correct api_base"
    return None
