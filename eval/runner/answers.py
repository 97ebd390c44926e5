"""`answers.jsonl` and `recalls.jsonl`: one line a question, appended as it is answered.

A recalled text may be a whole conversation that every question shares; it is kept once, in `recalls.jsonl`
(`eval.runner.recalls`), under the hash that the answer names.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from amem.contract import Recall
from amem.lm.ledger import Call
from amem.lm.types import ModelFailure
from eval.datasets.types import QAItem
from eval.runner.files import json_line, read_jsonl, write_jsonl
from eval.runner.recalls import Recalls, read_recalls, text_hash
from eval.runner.sources import sources_json

AnswerKey = tuple[str, str, str, int]


@dataclass(frozen=True, slots=True)
class Asked:
    """Where a question was asked: the cell of the table, the conversation, and the memory that was asked."""

    backbone: str
    method: str
    conversation: str
    dataset: str
    seed: int
    repeat: int
    memory: str

    def key(self, item: QAItem) -> AnswerKey:
        return self.backbone, self.method, item.question.id, self.repeat


def answer_key(row: dict[str, Any]) -> AnswerKey:
    return row["backbone"], row["method"], row["question_id"], row["repeat"]


def answer_row(
    asked: Asked,
    item: QAItem,
    *,
    prediction: str | None,
    failure: ModelFailure | None,
    recall: Recall | None,
    calls: Sequence[Call],
    prompt_tokens: int | None,
    options: Sequence[str],
) -> dict[str, Any]:
    """The line of one question; `prediction` and `failure` are never both there."""
    return {
        "backbone": asked.backbone,
        "method": asked.method,
        "conversation": asked.conversation,
        "question_id": item.question.id,
        "category": str(item.category),
        "question": item.question.text,
        "reference": item.reference,
        "trap": item.trap,
        "options": list(options) or None,
        "prediction": prediction,
        "failure": failure and {"kind": failure.kind.value, "message": str(failure), "raw": failure.raw},
        "evidence": list(item.evidence),
        "recall": recall
        and {
            "text_hash": text_hash(recall.text),
            "tokens": recall.tokens,
            "sources": sources_json(recall.sources),
            "trace": dict(recall.trace),
        },
        "calls": [call_json(call) for call in calls],
        "prompt_tokens": prompt_tokens,
        "seed": asked.seed,
        "repeat": asked.repeat,
        "memory": asked.memory,
        "dataset": asked.dataset,
    }


def call_json(call: Call) -> dict[str, Any]:
    """A call as it is stored: whether the reply came from the records, or at which try, depends on the day."""
    return {name: value for name, value in asdict(call).items() if name not in ("from_records", "attempts")}


class AnswerFile:
    """Appends lines from many threads; each line is on its way to the disk before `append` returns."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "answers.jsonl"
        self._recalls_path = folder / "recalls.jsonl"
        self._lock = threading.Lock()
        self.rows: dict[AnswerKey, dict[str, Any]] = {}
        folder.mkdir(parents=True, exist_ok=True)
        self._texts = read_recalls(self._recalls_path)
        if self.path.exists():
            for row in read_jsonl(self.path, tolerate_cut_end=True):
                recall = row["recall"]
                if recall is None or recall["text_hash"] in self._texts:
                    self.rows[answer_key(row)] = row
        # A killed writer may have left half a line: both files are put right before anything is appended.
        self._rewrite(self.rows.values())

    def reusable(self, key: AnswerKey, memory: str) -> bool:
        """Whether the question was answered from this very memory (a failure is asked again)."""
        row = self.rows.get(key)
        return row is not None and row["memory"] == memory and row["failure"] is None

    def append(self, row: dict[str, Any], recall_text: str | None) -> None:
        with self._lock:
            if recall_text is not None:
                self._keep_text(recall_text)
            _append(self.path, json_line(row))
            self.rows[answer_key(row)] = row

    def finish(self, order: Iterable[AnswerKey]) -> list[dict[str, Any]]:
        """Write the file again in `order`, without lines that the order does not name; returns its rows."""
        with self._lock:
            rows = [self.rows[key] for key in order if key in self.rows]
            self._rewrite(rows)
            return rows

    def _keep_text(self, text: str) -> None:
        row = self._texts.add(text)
        if row is not None:
            _append(self._recalls_path, json_line(row))

    def _rewrite(self, rows: Iterable[dict[str, Any]]) -> None:
        rows = list(rows)
        old, self._texts = self._texts, Recalls()
        used = dict.fromkeys(row["recall"]["text_hash"] for row in rows if row["recall"])
        write_jsonl(self._recalls_path, filter(None, (self._texts.add(old[key]) for key in used)))
        write_jsonl(self.path, rows)


def _append(path: Path, line: str) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        data = line.encode("utf-8")
        if os.write(handle, data) != len(data):
            raise OSError(f"{path}: the disk took only a part of a line")
    finally:
        os.close(handle)
