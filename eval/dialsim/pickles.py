"""The official pickles, read without ever running what a pickle may ask to be run.

A pickle is a program: loading it can call any function. The files are plain dicts, lists, texts and numbers, so nothing
but the few container classes below is admitted; whatever else is asked for is refused by name before anything is
called. A scan of the whole program beforehand refuses what would exhaust memory.
"""

from __future__ import annotations

import io
import pickle
import pickletools
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amem.errors import DataError
from eval.dialsim.kinds import ONLY_IN_V1_1
from eval.dialsim.objects import Show, ShowFacts
from eval.dialsim.oracles import Oracles
from eval.dialsim.parse import has_kind, parse_show
from eval.dialsim.shows import SHOWS

# Protocols 0 to 2 write the module of builtins by its Python 2 name.
_CONTAINERS: dict[tuple[str, str], Callable[..., Any]] = {
    ("collections", "OrderedDict"): OrderedDict,
    ("collections", "defaultdict"): defaultdict,
    **{(module, kind.__name__): kind for module in ("builtins", "__builtin__") for kind in (set, dict, list)},
}
_ALLOWED = ", ".join(f"{module}.{name}" for module, name in _CONTAINERS if module != "__builtin__")

# EXT opcodes can take an object from a process-wide cache, past `find_class`; the others have no use for containers.
_REFUSED_OPCODES = frozenset(
    ("EXT1", "EXT2", "EXT4", "PERSID", "BINPERSID", "INST", "OBJ", "NEWOBJ", "NEWOBJ_EX", "NEXT_BUFFER")
)
_NEW_CONTAINERS = frozenset(("EMPTY_DICT", "EMPTY_LIST", "EMPTY_SET", "DICT", "LIST", "FROZENSET"))
_MEMO_WRITES = frozenset(("PUT", "BINPUT", "LONG_BINPUT"))


@dataclass(frozen=True, slots=True)
class Limits:
    """What a file may cost. The official files (tens of MB, zipped) stay far below."""

    file_bytes: int = 4 * 1024**3
    containers: int = 40_000_000


def load_pickles(folder: Path | str, name: str, facts: ShowFacts | None = None, limits: Limits = Limits()) -> Show:
    """The show `name` from `<name>_dialsim.pickle` and, where they are there, its two oracle files.

    Raises DataError where a file is missing, damaged, too large, or asks for anything but a container class.
    """
    path = Path(folder) / f"{name}_dialsim.pickle"
    data = read_pickle(path, limits)
    oracles = read_oracles(folder, name, limits)
    version = "v1.1" if has_kind(data, ONLY_IN_V1_1) else "v1.0"
    return Show(facts or SHOWS[name], str(path), version, lambda: parse_show(data, oracles, str(path)))


def read_oracles(folder: Path | str, name: str, limits: Limits = Limits()) -> Oracles:
    """The oracle files of `name` in `folder`; where one is missing, its oracle is None."""
    found: dict[str, Mapping[Any, Any]] = {}
    for which in ("tkg", "fan"):
        path = Path(folder) / f"{name}_oracle_{which}.pickle"
        if path.is_file():
            found[which] = read_pickle(path, limits)
            if not isinstance(found[which], Mapping):
                raise DataError(f"{path}: must hold a mapping from episodes, not {type(found[which]).__name__}")
    return Oracles(**found)


def read_pickle(path: Path, limits: Limits = Limits()) -> Any:
    """The containers in one pickle, protocol 0 to 5."""
    try:
        size = path.stat().st_size
        if size > limits.file_bytes:
            raise DataError(f"{path}: {size:,} bytes, more than the {limits.file_bytes:,} that a data file may have")
        program = path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: can't be read: {error.strerror}") from error
    opcodes = _scan(program, path, limits)
    try:
        return _ContainerUnpickler(program, path, opcodes).load()
    except DataError:
        raise
    except Exception as error:  # a damaged program can fail in any way; nothing that it asked for has run
        raise DataError(f"{path}: damaged pickle: {type(error).__name__}: {error}") from error


def _scan(program: bytes, path: Path, limits: Limits) -> int:
    """Refuse what a data file has no need of; returns the number of opcodes."""
    count = containers = 0
    try:
        argument: Any
        for opcode, argument, position in pickletools.genops(program):
            count += 1
            if opcode.name in _REFUSED_OPCODES:
                raise DataError(f"{path}: refused: opcode {opcode.name} at byte {position} has no place in a data file")
            if opcode.name == "GLOBAL":
                module, _, name = argument.partition(" ")
                _check_class(module, name, path)
            containers += opcode.name in _NEW_CONTAINERS
            if containers > limits.containers:
                raise DataError(f"{path}: refused: more than {limits.containers:,} containers")
            if opcode.name in _MEMO_WRITES and int(argument) > count:
                raise DataError(f"{path}: refused: memo slot {argument} at byte {position}, after {count} opcodes")
            if opcode.name == "FRAME" and argument > len(program):
                raise DataError(f"{path}: refused: a frame of {argument:,} bytes in a file of {len(program):,}")
    except ValueError as error:
        raise DataError(f"{path}: damaged pickle: {error}") from error
    return count


def _check_class(module: str, name: str, path: Path) -> Callable[..., Any]:
    try:
        return _CONTAINERS[module, name]
    except KeyError:
        raise DataError(
            f"{path}: refused: the pickle asks for {module}.{name}; only {_ALLOWED} are admitted. "
            "Nothing was run. Do not open this file with pickle.load"
        ) from None


class _ContainerUnpickler(pickle.Unpickler):
    """Gives functions that make containers in the place of classes, and counts what they copy."""

    def __init__(self, program: bytes, path: Path, opcodes: int) -> None:
        super().__init__(io.BytesIO(program), encoding="utf-8")
        self._path = path
        # An honest file hands every item to a constructor once; `list(<the same long text>)` over and over is a bomb.
        self._items_left = opcodes

    def find_class(self, module: str, name: str) -> Callable[..., Any]:
        kind = _check_class(module, name, self._path)

        def make(*arguments: Any) -> Any:
            self._items_left -= sum(len(argument) for argument in arguments if hasattr(argument, "__len__"))
            if self._items_left < 0:
                raise DataError(f"{self._path}: refused: it copies the same items again and again")
            return kind(*arguments)

        return make
