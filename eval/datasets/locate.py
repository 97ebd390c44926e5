"""Where LoCoMo's file is: the data folder, else the official repository, else (only if allowed) the shipped sample."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from amem.errors import DataError
from eval.datasets.download import DownloadFailed, fetch
from eval.datasets.provenance import ADDRESS, FILE_NAME, OFFICIAL, SAMPLE, SAMPLE_PATH, SHA256, hash_of, identify

VARIABLE = "AMEM_DATA_DIR"
NOT_COMPARABLE = "its figures can't be compared with the paper's"


class Found(NamedTuple):
    """A file to load, what it is, and the line that tells the user."""

    path: Path
    kind: str
    """As in `Provenance.kind`: "official", "sample" or "other"."""
    line: str
    stands_in: str | None = None
    """Why the sample was taken in LoCoMo's place; None where it was not."""


def find_locomo(
    data_dir: str | Path | None = None,
    *,
    download: bool = True,
    allow_sample: bool = False,
    allow_other: bool = False,
    address: str = ADDRESS,
) -> Found:
    """Find locomo10.json in `data_dir` (None: the variable AMEM_DATA_DIR, else `data`), or fetch it into there.

    allow_sample: where there is no file and none can be had, take the shipped sample and say so.
    allow_other: accept a file that is not the published one.

    Raises DataError naming file, address and variable where nothing is found, and for a wrong checksum.
    """
    path = data_folder(data_dir) / FILE_NAME
    if os.path.exists(path):
        return check_file(path, allow_other=allow_other)
    reason = "downloading is switched off"
    if download:
        try:
            fetch(address, path, SHA256)
        except DownloadFailed as error:
            reason = str(error)
        else:
            return _official(path)
    if allow_sample:
        lack = f"there is no {path}, and {reason}"
        return shipped_sample(lack)._replace(stands_in=lack)
    raise DataError(
        f"{path}: LoCoMo's file is not there, and {reason}. Put {address} there by hand, or set {VARIABLE} to the "
        f"folder that holds {FILE_NAME}."
    )


def check_file(path: str | Path, *, allow_other: bool = False) -> Found:
    """What the file at `path` is. Raises DataError where it can't be read, or is unknown and `allow_other` is off."""
    path = Path(path)
    try:
        sha256 = hash_of(path.read_bytes())
    except OSError as error:
        raise DataError(f"{path}: can't be read ({error.strerror}). Check the path and its permissions.") from error
    kind = identify(sha256).kind
    if kind == OFFICIAL.kind:
        return _official(path)
    if kind == SAMPLE.kind:
        return shipped_sample("it was asked for")
    if not allow_other:
        raise DataError(
            f"{path}: this is not the published LoCoMo file (SHA-256 expected {SHA256}, found {sha256}). Remove it to "
            "have the published one fetched, or set dataset.allow_other=true to use a file of your own."
        )
    return Found(path, kind, f"Data: {path}, not the published LoCoMo (SHA-256 {sha256}); {NOT_COMPARABLE}.")


def shipped_sample(reason: str = "it was asked for") -> Found:
    """The sample of our own writing that ships with this package."""
    line = f"Data: the sample that ships with this project (invented people), since {reason}; {NOT_COMPARABLE}."
    return Found(SAMPLE_PATH, SAMPLE.kind, line)


def data_folder(data_dir: str | Path | None = None) -> Path:
    """The folder of data files: `data_dir`, else the variable AMEM_DATA_DIR, else `data`."""
    return Path(data_dir or os.environ.get(VARIABLE) or "data").expanduser()


def _official(path: Path) -> Found:
    return Found(path, OFFICIAL.kind, f"Data: LoCoMo as published, {path} (SHA-256 {SHA256[:16]}…).")
