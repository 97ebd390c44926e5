"""Where the data is looked for, and what is said where it is not there."""

from __future__ import annotations

import hashlib
import pickle
import struct
import zipfile
from pathlib import Path

import pytest

from amem.errors import DataError
from eval.dialsim import locate
from eval.dialsim.kinds import Kind
from eval.dialsim.locate import explain_zip, find_dialsim
from eval.dialsim.objects import Show
from tests.eval.dialsim import shows


def _sessions(show: Show) -> int:
    return sum(1 for _ in show.sessions())


@pytest.mark.parametrize("folder", ["dialsim", "dialsim/v1.1", "dialsim/dialsim_v1.1"])
def test_pickles_are_found_where_the_zip_unpacks_to(tmp_path: Path, folder: str) -> None:
    (tmp_path / folder).mkdir(parents=True)
    shows.write_pickles(tmp_path / folder, 4, "friends")

    found = find_dialsim(tmp_path, "friends")

    assert found.source == str(tmp_path / folder / "friends_dialsim.pickle")
    assert (found.facts.agent, _sessions(found)) == ("Ross", 4)


def test_parquet_is_taken_before_pickles_and_uses_their_oracles(tmp_path: Path) -> None:
    root = tmp_path / "dialsim"
    shows.write_parquet(root / "dialsim-friends" / "default" / "train", shows.parquet_rows())
    shows.write_pickles(root, 4, "friends")

    found = find_dialsim(tmp_path, "friends")
    *_, last = found.sessions()

    assert found.source == str(root / "dialsim-friends")
    assert last.questions[Kind.PAST][0].oracle == ("March 3, 2001",)


def test_json_is_found(tmp_path: Path) -> None:
    (tmp_path / "dialsim").mkdir()
    (tmp_path / "dialsim" / "bigbang.json").write_text(shows.EXAMPLE.read_text())

    assert find_dialsim(tmp_path, "bigbang").facts.agent == "Sheldon"


def test_what_is_missing_and_how_it_is_brought_is_said(tmp_path: Path) -> None:
    with pytest.raises(DataError) as error:
        find_dialsim(tmp_path, "theoffice")

    for word in (str(tmp_path / "dialsim"), "jiho283/dialsim-theoffice", "drive.google.com", "AMEM_DATA_DIR"):
        assert word in str(error.value)


def test_the_hub_is_asked_only_where_that_is_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locate, "load_parquet_hub", lambda name, oracles: shows.example_show())

    assert _sessions(find_dialsim(tmp_path, "friends", hub=True)) == 4
    with pytest.raises(DataError, match="no DialSim data for 'friends'"):
        find_dialsim(tmp_path, "friends")


def test_the_other_version_is_not_taken_silently(tmp_path: Path) -> None:
    (tmp_path / "dialsim").mkdir()
    stored = {"S01E01": {1: shows.session(hard={"fu": [shows.question(answer=shows.IDK)]})}}
    (tmp_path / "dialsim" / "friends_dialsim.pickle").write_bytes(pickle.dumps(stored))

    assert find_dialsim(tmp_path, "friends", "v1.0").version == "v1.0"
    with pytest.raises(DataError, match=r"holds v1\.0 .*but v1\.1"):
        find_dialsim(tmp_path, "friends", "v1.1")


@pytest.mark.parametrize(("show", "version"), [("frasier", "v1.1"), ("friends", "v2")])
def test_unknown_shows_and_versions_are_refused(tmp_path: Path, show: str, version: str) -> None:
    with pytest.raises(DataError, match="DialSim has no"):
        find_dialsim(tmp_path, show, version)


def _deflate64_zip(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("friends_dialsim.pickle", b"words")
    # Python can't write method 9, so it is put into both headers of a stored entry.
    content = bytearray(path.read_bytes())
    struct.pack_into("<H", content, content.index(b"PK\x03\x04") + 8, 9)
    struct.pack_into("<H", content, content.index(b"PK\x01\x02") + 10, 9)
    path.write_bytes(content)
    return path


def test_a_deflate64_zip_is_explained(tmp_path: Path) -> None:
    (tmp_path / "dialsim").mkdir()
    _deflate64_zip(tmp_path / "dialsim" / "dialsim_v1.1.zip")

    with pytest.raises(DataError, match=r"dialsim_v1\.1\.zip: not an official archive.*Deflate64.*unzip dialsim_v1\.1"):
        find_dialsim(tmp_path, "friends")


def test_the_official_zip_is_told_by_its_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _deflate64_zip(tmp_path / "any-name.zip")
    monkeypatch.setattr(locate, "ZIP_SHA256", {"v1.0": hashlib.sha256(path.read_bytes()).hexdigest()})

    assert "the official v1.0" in explain_zip(path)


def test_an_ordinary_and_a_damaged_zip_are_told_apart(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("x", b"")
    (tmp_path / "b.zip").write_bytes(b"no zip at all")

    assert "not read packed" in explain_zip(tmp_path / "a.zip")
    assert "damaged zip archive" in explain_zip(tmp_path / "b.zip")
