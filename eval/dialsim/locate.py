"""Where DialSim's data is looked for, and what to do where it is not there.

Below the data folder (`AMEM_DATA_DIR`, default `data`), in `dialsim/` or `dialsim/<version>/`:

- `dialsim-<show>/**/*.parquet`: the files of the hub's `jiho283/dialsim-<show>` (taken first: no pickle);
- `<show>.json`: the nested containers as JSON (`eval/dialsim/jsonfile.py`);
- `<show>_dialsim.pickle` with its `_oracle_tkg` and `_oracle_fan` files, also inside the folder that the official zip
  unpacks to (`dialsim_v1.1/`).

Shows are `friends`, `bigbang` and `theoffice`. Oracle pickles serve parquet files too, from any of these folders.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterator
from pathlib import Path

from amem.errors import DataError
from eval.dialsim.jsonfile import load_json
from eval.dialsim.objects import Show
from eval.dialsim.oracles import Oracles
from eval.dialsim.parquet import load_parquet_folder, load_parquet_hub
from eval.dialsim.pickles import load_pickles, read_oracles
from eval.dialsim.shows import DRIVE_FOLDER, HUB_NAMES, SHOWS, ZIP_SHA256

SAMPLE_FILE = Path(__file__).parent / "sample" / "greywater.json"

_DEFLATE64 = 9


def find_dialsim(data_dir: Path | str, name: str, version: str = "v1.1", *, hub: bool = False) -> Show:
    """The show `name` in the version asked for; with `hub`, from the Hugging Face hub where no file is found.

    Raises DataError where there is none (naming every place that was looked at), where only a packed zip is there, and
    where what was found is of the other version.
    """
    if name not in SHOWS:
        raise DataError(f"DialSim has no show '{name}'; it has: {', '.join(SHOWS)}")
    if version not in ZIP_SHA256:
        raise DataError(f"DialSim has no version '{version}'; it has: {', '.join(sorted(ZIP_SHA256))}")
    folders = _folders(Path(data_dir), version)
    show = next(_found(folders, name), None)
    if show is None and hub:
        show = load_parquet_hub(name, _oracles(folders, name))
    if show is None:
        raise _missing(folders, name, version)
    if show.version != version:
        raise DataError(
            f"{show.source}: holds {show.version} (v1.1 has unanswerable two-hop kinds, v1.0 has none), but {version} "
            f"was asked for. Ask for {show.version}, or put the other files there"
        )
    return show


def load_sample() -> Show:
    """The sample that ships with this project: our own script, not comparable with any published figure."""
    return load_json(SAMPLE_FILE)


def _folders(data_dir: Path, version: str) -> list[Path]:
    root = data_dir / "dialsim"
    return [root / version, root / f"dialsim_{version}", root]


def _found(folders: list[Path], name: str) -> Iterator[Show]:
    for folder in folders:
        parquet = folder / f"dialsim-{name}"
        if parquet.is_dir():
            yield load_parquet_folder(parquet, name, _oracles([parquet, *folders], name))
        if (folder / f"{name}.json").is_file():
            yield load_json(folder / f"{name}.json", name)
        if (folder / f"{name}_dialsim.pickle").is_file():
            yield load_pickles(folder, name)


def _oracles(folders: list[Path], name: str) -> Oracles:
    for folder in folders:
        if any((folder / f"{name}_oracle_{which}.pickle").is_file() for which in ("tkg", "fan")):
            return read_oracles(folder, name)
    return Oracles()


def _missing(folders: list[Path], name: str, version: str) -> DataError:
    zips = sorted(path for folder in [*folders, folders[-1].parent] for path in folder.glob("dialsim*.zip"))
    if zips:
        return DataError(explain_zip(zips[0]))
    places = ", ".join(map(str, folders))
    return DataError(
        f"no DialSim data for '{name}' {version} in {places}. Put one of these there: the parquet files of the hub's "
        f"{HUB_NAMES[name]} in a folder dialsim-{name}/, or the unpacked zip of {DRIVE_FOLDER} "
        f"({name}_dialsim.pickle and its oracle files), or {name}.json. The data folder is AMEM_DATA_DIR"
    )


def explain_zip(path: Path) -> str:
    """Which archive `path` is and how it is unpacked. Its packing (Deflate64) is one that Python can't undo."""
    digest = _sha256(path)
    version = next((known for known, sha256 in ZIP_SHA256.items() if sha256 == digest), None)
    is_known = f"the official {version}" if version else f"not an official archive (its SHA-256 is {digest})"
    try:
        with zipfile.ZipFile(path) as archive:
            packed = any(entry.compress_type == _DEFLATE64 for entry in archive.infolist())
    except zipfile.BadZipFile as error:
        return f"{path}: damaged zip archive ({error}), {is_known}. Download it again from {DRIVE_FOLDER}"
    why = "packed with Deflate64, which Python's zipfile can't read" if packed else "not read packed"
    return (
        f"{path}: {is_known}, and {why}. Unpack it in its folder with `unzip {path.name}` (Info-ZIP 6) or "
        f"`7z x {path.name}`, then start again"
    )


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
