"""Which file is taken, and what the user is told."""

import pytest

from amem.errors import DataError
from eval.datasets.locate import check_file, data_folder, find_locomo, shipped_sample
from eval.datasets.provenance import ADDRESS, SHA256, hash_of


@pytest.fixture
def foreign_file(tmp_path):
    path = tmp_path / "locomo10.json"
    path.write_text("[]")
    return path


def test_the_published_file_is_taken_from_the_data_folder(locomo_file):
    found = find_locomo(locomo_file.parent, download=False)
    assert (found.path, found.kind) == (locomo_file, "official")
    assert str(locomo_file) in found.line


def test_a_missing_file_names_file_address_and_variable(tmp_path):
    with pytest.raises(DataError) as caught:
        find_locomo(tmp_path, download=False)
    for part in (str(tmp_path / "locomo10.json"), ADDRESS, "AMEM_DATA_DIR"):
        assert part in str(caught.value)


def test_the_sample_stands_in_only_where_it_may_and_says_so(tmp_path):
    found = find_locomo(tmp_path, download=False, allow_sample=True)
    assert found.kind == "sample"
    assert found.path.is_file()
    assert "can't be compared with the paper" in found.line
    assert "\n" not in found.line
    assert str(tmp_path / "locomo10.json") in found.line


def test_a_download_that_fails_is_told_in_the_line(tmp_path):
    found = find_locomo(tmp_path, allow_sample=True, address="http://127.0.0.1:9/nothing")
    assert found.kind == "sample"
    assert "http://127.0.0.1:9/nothing can't be reached" in found.line


@pytest.mark.parametrize("allow_sample", [False, True])
def test_a_file_of_another_checksum_is_refused_with_both_checksums(foreign_file, allow_sample):
    with pytest.raises(DataError) as caught:
        find_locomo(foreign_file.parent, allow_sample=allow_sample)
    for part in (str(foreign_file), SHA256, hash_of(b"[]"), "dataset.allow_other=true"):
        assert part in str(caught.value)


def test_a_file_of_ones_own_is_taken_when_allowed_and_its_checksum_named(foreign_file):
    found = find_locomo(foreign_file.parent, allow_other=True)
    assert (found.path, found.kind) == (foreign_file, "other")
    assert hash_of(b"[]") in found.line


def test_the_sample_is_known_by_its_content(tmp_path):
    copy = tmp_path / "copy.json"
    copy.write_bytes(shipped_sample().path.read_bytes())
    assert check_file(copy).kind == "sample"


def test_a_folder_in_place_of_the_file_is_an_error(tmp_path):
    with pytest.raises(DataError, match="can't be read"):
        check_file(tmp_path)


@pytest.mark.parametrize(
    ("given", "variable", "expected"),
    [("here", "there", "here"), (None, "there", "there"), (None, "", "data"), (None, None, "data")],
)
def test_the_data_folder_is_the_argument_the_variable_or_data(monkeypatch, given, variable, expected):
    monkeypatch.delenv("AMEM_DATA_DIR", raising=False)
    if variable is not None:
        monkeypatch.setenv("AMEM_DATA_DIR", variable)
    assert str(data_folder(given)) == expected
