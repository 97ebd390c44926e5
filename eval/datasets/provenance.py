"""Which file is which: the published LoCoMo, the sample shipped here, or somebody's own, told by content hash."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

FILE_NAME = "locomo10.json"
ADDRESS = (
    "https://raw.githubusercontent.com/snap-research/locomo/3eb6f2c585f5e1699204e3c3bdf7adc5c28cb376/data/locomo10.json"
)
SHA256 = "79fa87e90f04081343b8c8debecb80a9a6842b76a7aa537dc9fdf651ea698ff4"
SAMPLE_PATH = Path(__file__).parent / "sample" / "sample.json"


@dataclass(frozen=True, slots=True)
class Provenance:
    """What is known of a file by its hash."""

    kind: str
    """"official", "sample" or "other"."""
    name: str
    licence: str


OFFICIAL = Provenance("official", "locomo", "CC BY-NC 4.0 (Maharana et al., ACL 2024, github.com/snap-research/locomo)")
SAMPLE = Provenance("sample", "sample", "CC0 1.0 (written for this project)")


def identify(sha256: str) -> Provenance:
    """Provenance of a file with this content hash."""
    if sha256 == SHA256:
        return OFFICIAL
    if SAMPLE_PATH.is_file() and sha256 == hash_of(SAMPLE_PATH.read_bytes()):
        return SAMPLE
    return Provenance("other", f"other-{sha256[:12]}", "unknown: not the published file")


def hash_of(content: bytes) -> str:
    """SHA-256 in lower-case hexadecimal."""
    return hashlib.sha256(content).hexdigest()
