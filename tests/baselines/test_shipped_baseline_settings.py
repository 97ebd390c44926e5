"""The shipped YAML files of the baselines hold the values of their sources, spelled out here a second time."""

from __future__ import annotations

from typing import Any

import pytest

from eval.composition import compose, method_settings

SHIPPED: dict[str, dict[str, Any]] = {
    "locomo": {"context_order": "chronological_keep_recent"},
    "readagent": {
        "max_words": 600, "min_words": 280, "whole_words": 350, "lookup": "parallel", "max_pages": 5, "max_steps": 6,
        "temperature": 0.0,
    },
    "memorybank": {
        "top_k": 3, "merge_same_date": True, "glue_characters": 200, "summary_tokens": 400, "portrait_speakers": 2,
        "forgetting": "off", "strengthen_on_ingest": False, "temperature": 0.7,
    },
    "memgpt": {
        "mode": "paged", "window": 8192, "warn_at": 0.75, "evict_fraction": 0.75, "keep_last": 3, "summary_words": 100,
        "block_chars": 2000, "page_size": 5, "max_calls": 10, "archive_turns": True,
    },
}  # fmt: skip


@pytest.mark.parametrize("name", SHIPPED)
def test_a_baseline_has_the_values_of_its_source(name: str) -> None:
    method = compose([f"method=[{name}]", "backbone=[scripted]"]).methods[name]
    settings = method_settings(name, method._target_, method.settings)
    assert {key: getattr(settings, key) for key in SHIPPED[name]} == SHIPPED[name]


@pytest.mark.parametrize("name", SHIPPED)
def test_the_settings_default_to_what_is_shipped(name: str) -> None:
    method = compose([f"method=[{name}]", "backbone=[scripted]"]).methods[name]
    assert method_settings(name, method._target_, {}) == method_settings(name, method._target_, method.settings)
