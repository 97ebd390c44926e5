"""What looks like a key in a configuration: configurations are written into manifests and records, keys must not be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from amem.errors import KeyGiven

_NAME = re.compile(r"KEY(?!WORD)|TOKEN(?!S|IZ)|SECRET|PASSW|CREDENTIAL|AUTH(?!ORS?(?![A-Z]))", re.IGNORECASE)
"""Stricter than that for environment variables: counts of tokens, keywords and authors are usual settings."""
_KEY = re.compile(r"(?:^|[\s=:\"'])(?:sk|pk|hf|gsk|xai|ghp|glpat)[-_][\w-]{16,}|(?i:\bBearer )\S")
_IN_ADDRESS = re.compile(
    r"https?://[^/\s@]+@"  # a name alone may be a token there
    r"|(?:^|://)(?!mailto:)[^/\s@]*:[^/\s@]*@(?!sha\d)"  # an image's digest follows an @ as well
)
_QUERY = re.compile(r"[?&]([^=&\s]+)=[^&\s]")
_SHORT_NAMES = ("sig", "api")
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")
BACKBONE_WAY_OUT = "keys come from the environment only: name the variable in settings.key"


def check_settings(settings: Mapping[str, Any], place: str) -> None:
    """Raises KeyGiven where `settings` of a backbone hold a key; their own `key` names an environment variable."""
    variable = settings.get("key")
    if isinstance(variable, str) and not _VARIABLE.fullmatch(variable):
        raise KeyGiven(f"{place}.key names an environment variable (capitals); it is no place for a key")
    refuse_keys({name: value for name, value in settings.items() if name != "key"}, place, BACKBONE_WAY_OUT)


def refuse_keys(values: Mapping[str, Any], place: str, way_out: str) -> None:
    """Raises KeyGiven for what goes by a key's name or has its shape, at any depth, without repeating the value."""
    for path, name, value in _leaves(values, place):
        if _is_key_name(name) and not isinstance(value, bool | None):
            raise KeyGiven(f"{path} goes by a key's name; {way_out}")
        if isinstance(value, str) and (_KEY.search(value) or has_credentials(value)):
            raise KeyGiven(f"{path} holds what looks like a key; {way_out}")


def refuse_credentials(values: Mapping[str, Any], place: str, way_out: str) -> None:
    """Raises KeyGiven for an address with a user's name and password, or a key, in it, at any depth."""
    for path, _, value in _leaves(values, place):
        if isinstance(value, str) and has_credentials(value):
            raise KeyGiven(f"{path} is an address with a password or a key in it; {way_out}")


def has_credentials(text: str) -> bool:
    """Whether an address in `text` holds a password or a key."""
    names = _QUERY.findall(text)
    return _IN_ADDRESS.search(text) is not None or any(_is_key_name(n) or n.lower() in _SHORT_NAMES for n in names)


def _is_key_name(name: str) -> bool:
    return _NAME.search(name) is not None


def _leaves(value: Any, path: str, name: str = "") -> Iterator[tuple[str, str, Any]]:
    """Path, name and value; what goes by a key's name is not looked into."""
    if isinstance(value, Mapping) and not _is_key_name(name):
        for inner, item in value.items():
            yield from _leaves(item, f"{path}.{inner}" if path else str(inner), str(inner))
    elif isinstance(value, list | tuple) and not _is_key_name(name):
        for number, item in enumerate(value):
            yield from _leaves(item, f"{path}[{number}]")
    else:
        yield path, name, value
