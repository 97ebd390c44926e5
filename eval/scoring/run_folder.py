"""A run's folder as the scorer sees it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amem.errors import ResultsError
from eval.runner.files import read_jsonl
from eval.scoring.answers import NO_ANSWERS, Answer


@dataclass(frozen=True, slots=True)
class StoredRun:
    manifest: Mapping[str, Any]
    answers: list[Answer]

    @property
    def is_dialsim(self) -> bool:
        """Whether the run is on DialSim; else it is on LoCoMo, or a sample of its shape."""
        return self.manifest["config"].get("dialsim") is not None


def is_scaling(folder: Path) -> bool:
    """Whether it is the folder of a scaling run, which has measurements and no answers."""
    if (folder / "measurements").is_dir():
        return True
    try:
        config = json.loads((folder / "manifest.json").read_text("utf-8"))["config"]
    except (OSError, ValueError, KeyError, TypeError):
        # Whoever reads the run says what is wrong with it.
        return False
    return config.get("scaling") is not None


def read_run(folder: Path) -> StoredRun:
    """Manifest and answers of a run, as they stand; raises `ResultsError` where one is missing or damaged."""
    if is_scaling(folder):
        raise ResultsError(
            f"{folder} is of a scaling run, which asks no questions: its own command (`python -m eval "
            "experiment=scaling …`) writes its tables anew, and so does `python -m eval report` as a page"
        )
    manifest, answers = folder / "manifest.json", folder / "answers.jsonl"
    if not manifest.is_file():
        raise ResultsError(f"{folder} holds no {manifest.name}: it is no folder of a run, or the run did not start")
    if not answers.is_file():
        raise ResultsError(f"{answers} is not there: {NO_ANSWERS}")
    try:
        facts = json.loads(manifest.read_text("utf-8"))
    except ValueError as error:
        raise ResultsError(f"{manifest}: not JSON ({error})") from error
    if not isinstance(facts, dict):
        raise ResultsError(f"{manifest}: an object is needed, found {type(facts).__name__}")
    rows: list[Answer] = list(read_jsonl(answers, tolerate_cut_end=True))
    if "config" not in facts:
        raise ResultsError(f"{manifest}: it has no config; it is not the manifest of a run")
    written = [start["answers"] for start in facts.get("starts", ()) if "answers" in start]
    if written and written[-1] != len(rows):
        raise ResultsError(
            f"{answers}: the run ended with {written[-1]} answers and the file holds {len(rows)}; start the run again "
            "with the same command, which replays what is missing"
        )
    expected = [start["expected"] for start in facts.get("starts", ()) if "expected" in start]
    if expected and len(rows) < expected[-1]:
        facts["unfinished"] = f"{len(rows):,} of {expected[-1]:,} answers"
    return StoredRun(facts, rows)


def newest_run(results: Path) -> Path:
    """The folder of the run that was worked on last; raises `ResultsError` where `results` holds none with answers."""
    runs = newest_first(results)
    if not runs:
        raise ResultsError(f"{results} holds no run; `make reproduce-table1` makes one, or name the folder of a run")
    return runs[0]


def newest_first(results: Path) -> list[Path]:
    """The folders of runs with answers."""
    runs = [path.parent for path in results.glob("*/manifest.json") if (path.parent / "answers.jsonl").exists()]
    return sorted(runs, key=lambda folder: ((folder / "manifest.json").stat().st_mtime_ns, folder.name), reverse=True)
