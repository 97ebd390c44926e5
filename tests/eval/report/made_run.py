"""A small finished run on the shipped sample, with text in it that tries to break out of a page."""

from __future__ import annotations

import json
from pathlib import Path

from eval.composition import compose
from eval.run import run

HOSTILE = "</script><img src=x onerror=\"document.title='broken out'\"> \u2028 <b>bold</b> & 😀 ]]> {{ 7*7 }}"


def made_run(folder: Path, *overrides: str) -> Path:
    """Two methods, two sessions, no model; the first answer's question and prediction are hostile."""
    settings = ["dataset=sample", "dataset.sessions=2", "dataset.conversations=['0']", "backbone=[scripted]"]
    methods = ["method=[amem,rag]", "link.k=2", "retrieve.k=3", "scoring.metrics=[f1_amem_set,f1_locomo,bleu1]"]
    made = run(compose([*settings, *methods, f"results_dir={folder}", *overrides]))
    path = made / "answers.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
    for row in rows:
        if row["question_id"] == rows[0]["question_id"]:
            row["question"] = f"Hostile? {HOSTILE}"
    rows[0]["prediction"] = HOSTILE
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return made
