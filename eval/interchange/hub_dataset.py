"""A run as a Hugging Face data set: one row an answer, with its scores and the recalled text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval.runner.recalls import read_recalls
from eval.runner.sources import sources_of
from eval.scored import scored_run
from eval.scoring.run_folder import read_run

if TYPE_CHECKING:
    from datasets import Dataset

_PLAIN = (
    "dataset", "backbone", "method", "conversation", "question_id", "category", "question", "reference", "trap",
    "options", "prediction", "evidence", "prompt_tokens", "seed", "repeat", "memory",
)  # fmt: skip


def run_dataset(folder: Path) -> Dataset:
    """What has no fixed shape (a recall's trace, calls, the failure) is a JSON text; `datasets` needs fixed types."""
    from datasets import Dataset, DatasetInfo

    run = read_run(folder)
    scored = scored_run(run, folder)
    scores = scored.scores.frame
    texts = read_recalls(folder / "recalls.jsonl")
    rows = [
        _row(row, texts) | {name: _number(scores.loc[place, name]) for name in scored.headings}
        for place, row in enumerate(run.answers)
    ]
    data = run.manifest["data"]
    info = DatasetInfo(description=f"Answers of run {run.manifest['key']} on {data['name']}", license=data["licence"])
    made = Dataset.from_list(rows)
    made.info.update(info)
    return made


def write_dataset(folder: Path, out: Path) -> Path:
    """`datasets.load_from_disk(out)` opens it."""
    run_dataset(folder).save_to_disk(str(out))
    return out


def _row(row: Any, texts: Mapping[str, str]) -> dict[str, Any]:
    recall = row["recall"] or {}
    return {
        **{name: row[name] for name in _PLAIN},
        "recalled_text": texts.get(recall["text_hash"]) if "text_hash" in recall else None,
        "recalled_tokens": recall.get("tokens"),
        "recalled_turns": [source.turn_id for source in sources_of(recall)] if recall else [],
        "trace": json.dumps(recall.get("trace", {}), ensure_ascii=False),
        "calls": json.dumps(row["calls"], ensure_ascii=False),
        "failure": json.dumps(row["failure"], ensure_ascii=False) if row["failure"] else None,
    }


def _number(value: float) -> float | None:
    return None if value != value else float(value)
