"""A pack from a folder elsewhere: its own bytes are sent, and what it lacks comes from the pack that it extends."""

from __future__ import annotations

from pathlib import Path

import pytest

from amem.errors import PromptPackError
from amem.lm.types import Message
from amem.prompting.pack import PromptPack
from tests.amem.prompting.examples import NOTE, VARIABLES

DEFAULT = Path(__file__).parents[3] / "configs" / "prompts" / "default"


def write(folder: Path, relative: str, text: str) -> None:
    path = folder / relative
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    write(tmp_path, "pack.yaml", f"name: foreign\nextends: {DEFAULT}\n")
    write(tmp_path, "calls/note_construct/20-user.j2", "  Décris :\n\n{{ note.content }}\t\n\n")
    return tmp_path


def test_the_bytes_of_a_foreign_template_are_sent_as_they_are(foreign: Path) -> None:
    request = PromptPack(foreign).request("note_construct", note=NOTE)
    assert request.messages == (Message("user", f"  Décris :\n\n{NOTE.content}\t\n"),)


def test_what_a_foreign_pack_lacks_is_taken_from_the_extended_pack(foreign: Path) -> None:
    pack, default = PromptPack(foreign), PromptPack(DEFAULT)
    assert pack.request("note_construct", note=NOTE).schema == default.request("note_construct", note=NOTE).schema
    assert pack.request("note_link", **VARIABLES) == default.request("note_link", **VARIABLES)


def test_a_foreign_part_is_used_inside_the_extended_packs_calls(foreign: Path) -> None:
    write(foreign, "parts/note.j2", "<{{ note.content }}>")
    assert f"<{NOTE.content}>" in PromptPack(foreign).request("note_link", **VARIABLES).messages[-1].content


def test_the_hash_covers_the_extended_pack(foreign: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    parent = tmp_path_factory.mktemp("parent")
    write(parent, "pack.yaml", "name: parent\n")
    write(parent, "parts/turn.j2", "one")
    write(foreign, "pack.yaml", f"name: foreign\nextends: {parent}\n")
    before = PromptPack(foreign).hash
    write(parent, "parts/turn.j2", "two")
    assert PromptPack(foreign).hash != before


def test_a_missing_variable_is_an_error_that_names_it(foreign: Path) -> None:
    with pytest.raises(PromptPackError, match=r"'neighbours' is undefined.*given: note"):
        PromptPack(foreign).request("note_link", note=NOTE)


def test_a_folder_without_pack_yaml_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PromptPackError, match=r"no pack\.yaml"):
        PromptPack(tmp_path)


def test_an_unknown_sampling_parameter_is_refused(foreign: Path) -> None:
    write(foreign, "calls/note_construct/sampling.yaml", "temprature: 1\n")
    with pytest.raises(PromptPackError, match="temprature"):
        PromptPack(foreign).request("note_construct", note=NOTE)


@pytest.mark.parametrize(
    ("file", "text", "words"),
    [
        ("calls/note_construct/20-wizard.j2", "hello", "20-wizard.j2 is no message"),
        ("calls/note_construct/20-user.j2", "{{ 1 / 0 }}", "20-user.j2: ZeroDivisionError"),
        ("calls/note_construct/schema.json", '{"type": "banana"}', "is no JSON schema"),
        ("calls/note_construct/sampling.yaml", "temperature: hot", "temperature must be a number"),
        ("calls/note_construct/sampling.yaml", "[1", "not YAML"),
        ("calls/note_construct/sampling.yaml", "heat: 1", "unknown sampling parameter heat"),
    ],
)
def test_a_file_that_can_not_be_is_refused_by_name(foreign: Path, file: str, text: str, words: str) -> None:
    write(foreign, file, text)
    with pytest.raises(PromptPackError, match=words):
        PromptPack(foreign).request("note_construct", note=NOTE)


def test_a_pack_yaml_in_another_encoding_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pack.yaml").write_bytes("name: é".encode("latin-1"))
    with pytest.raises(PromptPackError, match="not YAML in UTF-8"):
        PromptPack(tmp_path)


def test_a_shipped_pack_is_extended_by_its_name_from_anywhere(foreign: Path) -> None:
    by_path = PromptPack(foreign)
    write(foreign, "pack.yaml", "name: foreign\nextends: default\n")
    by_name = PromptPack(foreign, shipped=DEFAULT.parent)
    assert by_name.request("note_link", **VARIABLES) == by_path.request("note_link", **VARIABLES)
    with pytest.raises(PromptPackError, match="a shipped pack"):
        PromptPack(foreign)


def test_a_folder_beside_the_pack_goes_before_a_shipped_one_of_that_name(tmp_path: Path) -> None:
    write(tmp_path, "default/pack.yaml", "name: mine\n")
    write(tmp_path, "default/parts/turn.j2", "mine")
    write(tmp_path, "own/pack.yaml", "extends: default\n")
    assert PromptPack(tmp_path / "own", shipped=DEFAULT.parent).render("turn") == "mine"
