"""What looks like a key in a configuration: configurations are written into manifests and records, keys must not be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from amem.errors import KeyGiven

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_KEY_WORDS = frozenset({
    "KEY", "APIKEY", "ACCESSKEY", "SECRETKEY", "PRIVATEKEY", "TOKEN", "AUTHTOKEN", "SECRET", "SECRETS", "PASSWORD",
    "PASSWD", "PASSPHRASE", "PGPASS", "CREDENTIAL", "CREDENTIALS", "AUTH", "AUTHORIZATION", "BEARER",
})  # fmt: skip
_HARMLESS_ENDS = frozenset({"BUDGET", "COUNT", "FACTOR", "FILE", "ID", "IDS", "LIMIT", "NAME", "PATH", "SOCK"})
"""Of a name that speaks of tokens or keys and holds none: stop_token_ids, thinking_token_budget, SSH_AUTH_SOCK."""
_HARMLESS = frozenset({"BOS_TOKEN", "CACHE_KEY", "EOS_TOKEN", "MASK_TOKEN", "PAD_TOKEN", "STOP_TOKEN", "UNK_TOKEN"})
_KEY = re.compile(
    r"(?:^|[\s=:\"'/])(?:(?:sk|pk|xai|glpat|nvapi)-[\w-]{16,}|(?:sk|pk|hf|gsk|gh[opsu]|github_pat|r8|tgp_v1)_\w{16,}"
    r"|AIza[\w-]{20,}|AKIA[A-Z0-9]{12,})|(?i:\b(?:Bearer|Basic) )[\w.+/=-]{8,}"
)
_IN_ADDRESS = re.compile(
    r"https?://[^/\s@]+@"  # a name alone may be a token there
    r"|://[^/\s@]*:[^/\s@]*@(?!sha\d)"  # an image's digest follows an @ as well
)
_WITHOUT_SCHEME = re.compile(r"^(?!mailto:)[^/\s@]+:[^/\s@]+@(?!sha\d)")
_ADDRESSES = frozenset({"api_base", "base_url", "address", "uri", "host"})
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
        _refuse_shape(path, name, value, way_out)


def refuse_shapes(values: Mapping[str, Any], place: str, way_out: str) -> None:
    """Raises KeyGiven for what has the shape of a key, or is an address that holds one or a password, at any depth."""
    for path, name, value in _leaves(values, place):
        _refuse_shape(path, name, value, way_out)


def has_credentials(text: str) -> bool:
    """Whether an address in `text` holds a password or a key."""
    names = _QUERY.findall(text) if "://" in text else []
    return _IN_ADDRESS.search(text) is not None or any(_is_key_name(n) or n.lower() in _SHORT_NAMES for n in names)


def _refuse_shape(path: str, name: str, value: Any, way_out: str) -> None:
    if not isinstance(value, str):
        return
    bare = name in _ADDRESSES and _WITHOUT_SCHEME.search(value)
    if bare or has_credentials(value) or _KEY.search(value):
        raise KeyGiven(f"{path} holds what looks like a key or a password; {way_out}")


def _is_key_name(name: str) -> bool:
    words = [word.upper() for word in _WORDS.findall(name)]
    if not words or words[-1] in _HARMLESS_ENDS or "_".join(words[-2:]) in _HARMLESS:
        return False
    return any(word in _KEY_WORDS for word in words) or (len(words) > 1 and words[-1] in ("KEYS", "PWD", "PASS"))


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
