"""A pickle is a program: nothing that it asks for is run, and what it may cost is bounded."""

from __future__ import annotations

import copyreg
import os
import pickle
import struct
from collections import Counter, OrderedDict, defaultdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amem.errors import DataError
from eval.dialsim.pickles import Limits, load_pickles, read_pickle
from tests.eval.dialsim import shows


class _Call:
    """Pickles as a call of `function`."""

    def __init__(self, function: Any, *arguments: Any) -> None:
        self._reduced = function, arguments

    def __reduce__(self) -> Any:
        return self._reduced


@pytest.fixture
def witness(tmp_path: Path) -> Path:
    """A file that only a pickle that ran would make."""
    return tmp_path / "it-ran"


def _write(folder: Path, program: bytes) -> Path:
    path = folder / "friends_dialsim.pickle"
    path.write_bytes(program)
    return path


@pytest.mark.parametrize("protocol", range(6))
def test_a_call_of_the_shell_is_refused_by_name(tmp_path: Path, witness: Path, protocol: int) -> None:
    program = pickle.dumps({"S01E01": _Call(os.system, f"touch {witness}")}, protocol)
    path = _write(tmp_path, program)

    with pytest.raises(DataError, match=r"friends_dialsim\.pickle.*asks for posix\.system.*Nothing was run"):
        load_pickles(tmp_path, "friends")
    assert not witness.exists()
    pickle.loads(path.read_bytes())
    assert witness.exists(), "the program must be one that runs when it is let"


@pytest.mark.parametrize("function", [eval, exec, getattr, __import__, open, compile])
@pytest.mark.parametrize("protocol", [0, 2, 4])
def test_no_function_of_builtins_is_admitted(tmp_path: Path, function: Any, protocol: int) -> None:
    path = _write(tmp_path, pickle.dumps(_Call(function, "1"), protocol))

    with pytest.raises(DataError, match=rf"asks for \w+\.{function.__name__};.*builtins\.list"):
        read_pickle(path)


def test_a_class_that_hides_behind_an_admitted_module_is_refused(tmp_path: Path) -> None:
    path = _write(tmp_path, pickle.dumps(Counter("aab"), 4))

    with pytest.raises(DataError, match=r"collections\.Counter"):
        read_pickle(path)


def test_a_dotted_name_does_not_reach_through_an_admitted_class(tmp_path: Path) -> None:
    program = b"\x80\x04\x8c\x0bcollections\x8c\x14OrderedDict.__init__\x93)R."

    with pytest.raises(DataError, match=r"collections\.OrderedDict\.__init__"):
        read_pickle(_write(tmp_path, program))


@pytest.mark.parametrize(
    ("name", "program"),
    [
        ("INST", b"(S'touch it'\nios\nsystem\n."),
        ("OBJ", b"(cos\nsystem\nS'touch it'\no."),
        ("PERSID", b"Pid\n."),
        ("BINPERSID", b"\x80\x02K\x01Q."),
        ("NEWOBJ_EX", b"\x80\x04\x8c\x08builtins\x8c\x04dict\x93)}\x92."),
    ],
)
def test_opcodes_that_no_data_file_needs_are_refused(tmp_path: Path, name: str, program: bytes) -> None:
    with pytest.raises(DataError, match=rf"opcode {name}|asks for os\.system"):
        read_pickle(_write(tmp_path, program))


def test_the_process_wide_cache_of_extensions_is_no_way_round(tmp_path: Path) -> None:
    copyreg.add_extension("posix", "getpid", 240)
    try:
        program = pickle.dumps(_Call(os.getpid), 2)
        assert pickle.loads(program) == os.getpid()

        with pytest.raises(DataError, match="opcode EXT1"):
            read_pickle(_write(tmp_path, program))
    finally:
        copyreg.remove_extension("posix", "getpid", 240)
        copyreg.clear_extension_cache()


CONTAINERS = {
    "ordered": OrderedDict(a=1),
    "default": defaultdict(list, b=[2]),
    "nested": defaultdict(dict, c={"d": {3}}),
    "set": {"x", "y"},
    "list": [1, -(2**70), 0.5, None, True, "ü", "\N{HATCHING CHICK}"],
    "tuple": (1, ("two",)),
}


@pytest.mark.parametrize("protocol", range(6))
def test_the_named_containers_are_read(tmp_path: Path, protocol: int) -> None:
    assert read_pickle(_write(tmp_path, pickle.dumps(CONTAINERS, protocol))) == CONTAINERS


def test_a_memo_slot_out_of_all_proportion_is_refused(tmp_path: Path) -> None:
    program = b"\x80\x02]r" + struct.pack("<I", 2**31 - 1) + b"."

    with pytest.raises(DataError, match="memo slot 2147483647"):
        read_pickle(_write(tmp_path, program))


@pytest.mark.parametrize(
    "program",
    [
        b"\x80\x04\x8d" + struct.pack("<Q", 2**60) + b"abc.",
        b"\x80\x04\x8e" + struct.pack("<Q", 2**60) + b"abc.",
        b"\x80\x02X" + struct.pack("<I", 2**31) + b"abc.",
        b"\x80\x02\x8b" + struct.pack("<i", 2**30) + b"abc.",
        b"\x80\x04\x95" + struct.pack("<Q", 2**60) + b"].",
    ],
    ids=["BINUNICODE8", "BINBYTES8", "BINUNICODE", "LONG4", "FRAME"],
)
def test_a_size_that_the_file_does_not_hold_is_refused(tmp_path: Path, program: bytes) -> None:
    with pytest.raises(DataError, match=r"damaged pickle|refused: a frame"):
        read_pickle(_write(tmp_path, program))


def test_copying_one_text_over_and_over_is_refused(tmp_path: Path) -> None:
    """`list(text)` takes 4 bytes each time and makes as many items as the text has letters."""
    text = b"\x80\x04\x8c\x08builtins\x8c\x04list\x93q\x00X" + struct.pack("<I", 10_000) + b"a" * 10_000 + b"\x85q\x01"
    program = text + b"h\x00h\x01R" * 1_000 + b"."

    with pytest.raises(DataError, match="copies the same items again"):
        read_pickle(_write(tmp_path, program))


def test_more_containers_than_any_show_needs_are_refused(tmp_path: Path) -> None:
    path = _write(tmp_path, pickle.dumps([[] for _ in range(100)], 4))

    with pytest.raises(DataError, match="more than 50 containers"):
        read_pickle(path, Limits(containers=50))


def test_a_file_that_is_too_large_is_not_even_read(tmp_path: Path) -> None:
    path = _write(tmp_path, pickle.dumps("a" * 1000))

    with pytest.raises(DataError, match=r"1,0[0-9]+ bytes, more than the 100"):
        read_pickle(path, Limits(file_bytes=100))


def test_containers_that_hold_themselves_do_not_hang(tmp_path: Path) -> None:
    session: dict[str, Any] = shows.session()
    session["hard_q"]["past"] = loop = []
    loop.append(loop)
    _write(tmp_path, pickle.dumps({"S01E01": {1: session}}))

    with pytest.raises(DataError, match=r"hard_q\.past\.0.*mapping"):
        list(load_pickles(tmp_path, "friends").sessions())


def test_one_session_held_very_many_times_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eval.dialsim.parse.MAX_SESSIONS", 1000)
    monkeypatch.setattr("eval.dialsim.parse.MAX_QUESTIONS_PER_SESSION", 50)
    shared = shows.session()
    _write(tmp_path, pickle.dumps({"S01E01": {number: shared for number in range(1001)}}))
    with pytest.raises(DataError, match="more than 1,000 sessions"):
        list(load_pickles(tmp_path, "friends").sessions())

    _write(tmp_path, pickle.dumps({"S01E01": {1: shows.session(hard={"past": [shows.question()] * 51})}}))
    with pytest.raises(DataError, match="more than 50 questions"):
        list(load_pickles(tmp_path, "friends").sessions())


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"friends_dialsim\.pickle: can't be read: No such file"):
        load_pickles(tmp_path, "friends")


def test_an_oracle_that_is_no_mapping_is_named(tmp_path: Path) -> None:
    _write(tmp_path, pickle.dumps({}))
    (tmp_path / "friends_oracle_tkg.pickle").write_bytes(pickle.dumps([]))

    with pytest.raises(DataError, match=r"friends_oracle_tkg\.pickle.*mapping"):
        load_pickles(tmp_path, "friends")


@given(program=st.binary(max_size=60))
def test_no_bytes_at_all_raise_anything_but_data_errors(
    tmp_path_factory: pytest.TempPathFactory, program: bytes
) -> None:
    path = _write(tmp_path_factory.mktemp("fuzz"), program)

    try:
        read_pickle(path)
    except DataError as error:
        assert "friends_dialsim.pickle" in str(error)


@given(place=st.integers(0, 10_000), byte=st.integers(0, 255))
def test_a_changed_byte_raises_nothing_but_data_errors(
    tmp_path_factory: pytest.TempPathFactory, place: int, byte: int
) -> None:
    program = bytearray(pickle.dumps(shows.raw_example()["data"], 4))
    program[place % len(program)] = byte
    path = _write(tmp_path_factory.mktemp("fuzz"), bytes(program))

    try:
        list(load_pickles(path.parent, "friends").sessions())
    except DataError as error:
        assert "friends_dialsim.pickle" in str(error)
