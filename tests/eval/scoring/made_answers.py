"""Answers as a run stores them, made up."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from eval.datasets.categories import Category

ABSTENTION = "Not mentioned in the conversation"
REFERENCE = "blue green kite"


def answer(**changes: Any) -> dict[str, Any]:
    """One single-hop question answered right."""
    row: dict[str, Any] = {
        "backbone": "tiny",
        "method": "amem",
        "conversation": "conv-1",
        "question_id": "conv-1/1",
        "category": str(Category.SINGLE_HOP),
        "question": "What flew?",
        "reference": REFERENCE,
        "trap": None,
        "options": None,
        "prediction": REFERENCE,
        "failure": None,
        "evidence": ["D1:1"],
        "recall": {"text_hash": "0", "tokens": 20, "sources": [{"turn": "D1:1", "derived": False}], "trace": {}},
        "calls": [],
        "prompt_tokens": 100,
        "seed": 0,
        "repeat": 0,
        "memory": "m0",
        "dataset": "locomo",
    }
    if changes.get("category") == Category.ADVERSARIAL:
        row |= {"reference": None, "trap": REFERENCE}
    return row | changes


def failed(**changes: Any) -> dict[str, Any]:
    failure = {"kind": "schema", "message": "no JSON", "raw": "?"}
    return answer(prediction=None, failure=failure, recall=None, prompt_tokens=None) | changes


def answers(
    right: dict[str, float],
    *,
    conversations: int = 6,
    per_category: int = 4,
    backbones: Sequence[str] = ("tiny",),
    repeats: int = 1,
) -> list[dict[str, Any]]:
    """Questions in all categories; `right` maps a method to the share of its answers that repeat the target."""
    chance = Random(1)
    return [
        answer(
            backbone=backbone,
            method=method,
            conversation=f"conv-{conversation}",
            question_id=f"conv-{conversation}/{category}{number}",
            category=str(category),
            prediction=_prediction(category, chance.random() < share),
            seed=repeat,
            repeat=repeat,
            memory=f"{method}-{conversation}-{repeat}",
        )
        for backbone in backbones
        for method, share in right.items()
        for repeat in range(repeats)
        for conversation in range(conversations)
        for category in Category
        for number in range(per_category)
    ]


def _prediction(category: Category, right: bool) -> str:
    if right:
        return REFERENCE
    return ABSTENTION if category is Category.ADVERSARIAL else "red kite"


def manifest(methods: Sequence[str] = ("amem", "locomo"), **data: Any) -> dict[str, Any]:
    labels = {"amem": "A-Mem", "locomo": "LoCoMo", "rag": "Retrieval"}
    paper = {"amem": "A-Mem", "locomo": "LoCoMo"}
    return {
        "key": "0123456789",
        "data": {
            "name": "locomo", "description": "6 conversations: 120 questions", "is_sample": False, "comparable": True,
        } | data,
        "config": {
            "backbones": {"tiny": {"label": "Tiny 1B", "paper_row": "gpt-4o-mini"}},
            "methods": {name: {"label": labels[name], "paper_row": paper.get(name)} for name in methods},
            "retrieve": {"k": 10},
            "link": {"k": 2},
        },
        "prompts": {"tiny": {"name": "small", "hash": "abcdef0123456789"}},
        "seeds": [0, 1, 2],
    }  # fmt: skip


def write_run(folder: Path, rows: Sequence[dict[str, Any]], facts: dict[str, Any]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "manifest.json").write_text(json.dumps(facts), "utf-8")
    (folder / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return folder
