"""The exact prompts of a run's questions, from the record store by the keys of their calls."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from amem.lm.records import RecordStore
from eval.report.lines import Lines


def records_path(folder: Path, manifest: Mapping[str, Any]) -> Path | None:
    """The record store of a run; None where it is not there any more (a run that was copied without it)."""
    config = manifest["config"]
    named = config.get("records", {}).get("path")
    beside = [folder.parent / "records.sqlite", Path(config.get("results_dir", "results")) / "records.sqlite"]
    candidates = [Path(named)] if named else beside
    return next((path for path in candidates if path.is_file()), None)


class Prompts:
    """Messages and reply by call key; a key that the store does not know has None."""

    def __init__(self, store: RecordStore | None, lines: Lines) -> None:
        self._store = store
        self._lines = lines
        self.by_key: dict[str, dict[str, Any] | None] = {}

    def add(self, key: str) -> None:
        if key not in self.by_key:
            request = self._store.get_request(key) if self._store else None
            self.by_key[key] = None if request is None else self._described(key, json.loads(request))

    def _described(self, key: str, request: Mapping[str, Any]) -> dict[str, Any]:
        outcome = self._store.get(key) if self._store else None
        reply = getattr(outcome, "text", None)
        return {
            "messages": [[message["role"], self._lines.places(message["content"])] for message in request["messages"]],
            "sampling": request["sampling"],
            "schema": request["schema"] is not None,
            "reply": None if reply is None else self._lines.places(reply),
        }
