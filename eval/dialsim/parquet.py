"""The authors' parquet files, from the Hugging Face hub or a local folder, through the `datasets` library.

A row is a session: `Episode`, `Session`, `Date`, `Script`, and for every kind of fan question
`easy_qs_<kind>_questions`, `_options`, `_answers` and `_idxes` (the quizzes' ids). That much is known from others'
code. Inferred: that the graph's questions stand in `hard_qs_<kind>_questions`, `_options` and `_answers` alike, and
that a column may hold its lists as JSON text (both are read). The files have no oracle: put the official
`<show>_oracle_tkg.pickle` and `<show>_oracle_fan.pickle` beside them where evidence recall is wanted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from amem.errors import DataError
from eval.dialsim.kinds import ONLY_IN_V1_1, Kind, Origin
from eval.dialsim.objects import Show, ShowFacts, StoredSession
from eval.dialsim.oracles import Oracles
from eval.dialsim.parse import MAX_SESSIONS, Place, parse_session
from eval.dialsim.shows import DRIVE_FOLDER, HUB_NAMES, SHOWS

_COLUMN = re.compile(r"(easy|hard)_qs_(.+)_(questions|options|answers|idxes)")
_PREFIX = {Origin.FAN: "easy", Origin.TKG: "hard"}


def load_parquet_folder(folder: Path | str, name: str, oracles: Oracles, facts: ShowFacts | None = None) -> Show:
    """The show in the parquet files below `folder`, in the order of their names."""
    files = sorted(str(path) for path in Path(folder).rglob("*.parquet"))
    if not files:
        raise DataError(f"{folder}: holds no parquet file; put those of {HUB_NAMES.get(name, name)} there")
    rows = _open("parquet", data_files=files, split="train", streaming=True)
    return _show(rows, str(folder), facts or SHOWS[name], oracles)


def load_parquet_hub(name: str, oracles: Oracles, revision: str | None = None) -> Show:
    """The show from the Hugging Face hub; downloaded once into the library's cache.

    Raises DataError where the hub can't be reached, with the ways to bring the data by hand.
    """
    splits = _open(HUB_NAMES[name], revision=revision)
    if len(splits) != 1:
        raise DataError(f"{HUB_NAMES[name]}: expected one split, found {', '.join(splits)}")
    return _show(next(iter(splits.values())), HUB_NAMES[name], SHOWS[name], oracles)


def _open(path: str, **arguments: Any) -> Any:
    import datasets

    try:
        return datasets.load_dataset(path, **arguments)
    except (OSError, datasets.exceptions.DatasetsError, ValueError) as error:
        place = ", ".join(arguments["data_files"]) if "data_files" in arguments else path
        raise DataError(
            f"{place}: can't be loaded: {error}. Download the parquet files of the hub by hand into "
            f"<data folder>/dialsim/dialsim-<show>/, or the pickles from {DRIVE_FOLDER}"
        ) from error


def _show(rows: Any, source: str, facts: ShowFacts, oracles: Oracles) -> Show:
    columns = list(rows.column_names or [])
    kinds = _kinds(columns, source)
    version = "v1.1" if kinds & ONLY_IN_V1_1 else "v1.0"
    return Show(facts, source, version, lambda: _sessions(rows, source, kinds, oracles))


def _kinds(columns: list[str], source: str) -> set[Kind]:
    for column in ("Episode", "Session", "Date", "Script"):
        if column not in columns:
            raise DataError(f"{source}: no column '{column}'; there are: {', '.join(columns) or 'none'}")
    found: set[Kind] = set()
    for match in filter(None, map(_COLUMN.fullmatch, columns)):
        if match[2] not in list(Kind) or _PREFIX[Kind(match[2]).origin] != match[1]:
            raise DataError(f"{source}: column '{match[0]}' is of an unknown kind of question")
        found.add(Kind(match[2]))
    for origin, prefix in _PREFIX.items():
        if not any(kind.origin is origin for kind in found):
            # Asking the other origin's questions alone would be another benchmark under the same name.
            raise DataError(
                f"{source}: no column {prefix}_qs_<kind>_questions; there are: {', '.join(columns)}. If the questions "
                f"stand under other names, use the pickles of {DRIVE_FOLDER} instead"
            )
    return found


def _sessions(
    rows: Iterable[Mapping[str, Any]], source: str, kinds: set[Kind], oracles: Oracles
) -> Iterator[StoredSession]:
    for position, row in enumerate(_guarded(rows, source)):
        place = Place(source, str(row["Episode"]), str(row["Session"]))
        if position >= MAX_SESSIONS:
            raise place.error("Session", f"more than {MAX_SESSIONS:,} sessions")
        nested = {
            "date": row["Date"],
            "script": row["Script"],
            "hard_q": {k.value: _list(row, k, place) for k in Kind if k in kinds and k.origin is Origin.TKG},
            "easy_q": {k.value: _by_id(row, k, place) for k in Kind if k in kinds and k.origin is Origin.FAN},
        }
        yield parse_session(nested, place, oracles)


def _guarded(rows: Iterable[Mapping[str, Any]], source: str) -> Iterator[Mapping[str, Any]]:
    """The rows; what the library finds wrong with a file comes out only while it is read."""
    import pyarrow

    reading = iter(rows)
    while True:
        try:
            row = next(reading)
        except StopIteration:
            return
        except (OSError, TypeError, ValueError, pyarrow.ArrowException) as error:
            raise DataError(f"{source}: damaged, or files of different makes mixed in one folder: {error}") from error
        yield row


def _list(row: Mapping[str, Any], kind: Kind, place: Place) -> list[dict[str, Any]]:
    prefix = f"{_PREFIX[kind.origin]}_qs_{kind}"
    parts = {part: _column(row, f"{prefix}_{part}", place) for part in ("questions", "options", "answers")}
    if len(set(map(len, parts.values()))) > 1:
        lengths = ", ".join(f"{len(values)} {part}" for part, values in parts.items())
        raise place.error(prefix, f"its lists differ in length: {lengths}")
    return [
        {"questions": _variants(variants), "options": _decoded(options), "answer": answer}
        for variants, options, answer in zip(*parts.values(), strict=True)
    ]


def _by_id(row: Mapping[str, Any], kind: Kind, place: Place) -> dict[str, dict[str, Any]]:
    questions = _list(row, kind, place)
    name = f"{_PREFIX[kind.origin]}_qs_{kind}_idxes"
    ids = _column(row, name, place) if name in row else list(range(len(questions)))
    if len(ids) != len(questions) or len({str(i) for i in ids}) != len(ids):
        raise place.error(name, f"must give each of the {len(questions)} questions an id of its own, not {ids!r:.200}")
    return {str(i): question for i, question in zip(ids, questions, strict=True)}


def _column(row: Mapping[str, Any], name: str, place: Place) -> list[Any]:
    if name not in row:
        raise place.error(name, "the column is missing")
    values = _decoded(row[name])
    if values is None:
        return []
    if not isinstance(values, list):
        raise place.error(name, f"must be a list, not {type(values).__name__}")
    return values


def _decoded(value: Any) -> Any:
    if not isinstance(value, str) or value[:1] not in ("[", "{"):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def _variants(value: Any) -> Any:
    """Wordings by asker; an asker without a wording is a null of the column's common struct."""
    value = _decoded(value)
    if isinstance(value, str):
        return {"default": value}
    if isinstance(value, Mapping):
        return {asker: text for asker, text in value.items() if text is not None}
    return value
