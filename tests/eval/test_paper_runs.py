"""The shipped configurations of the paper's tables: all six methods, all six backbones, all of the data."""

from __future__ import annotations

import csv

from eval.composition import CONFIGS, compose

TABLE_1 = CONFIGS.parent / "results" / "paper" / "table1_locomo.csv"


def published(column: str) -> set[str]:
    with TABLE_1.open(encoding="utf-8") as file:
        return {row[column] for row in csv.DictReader(file)}


def test_table_1_runs_every_published_row() -> None:
    config = compose(["experiment=table1", "profile=paper"])
    assert {method.paper_row for method in config.methods.values()} - {None} == published("method")
    assert {backbone.paper_row for backbone in config.backbones.values()} == published("backbone")


def test_the_papers_data_are_whole_unless_a_slice_is_asked_for() -> None:
    config = compose(["experiment=table1", "profile=paper"]).dataset
    assert (config.name, config.conversations, config.sessions, config.questions, config.categories) == (
        "locomo", None, None, None, None,
    )  # fmt: skip


def test_the_conversation_of_the_token_column_can_be_run_alone() -> None:
    assert compose(["profile=conv26"]).dataset.conversations == ["conv-26"]


def test_the_papers_temperatures_are_the_backbones() -> None:
    for backbone in compose(["profile=paper"]).backbones.values():
        assert (backbone.sampling.temperature, backbone.answer_temperature) == (0.7, {"adversarial": 0.5})


def test_an_ollama_backbone_asks_for_a_window_that_holds_a_conversation() -> None:
    windows = [b.settings.get("num_ctx") or b.settings["window"] for b in compose(["profile=paper"]).backbones.values()]
    assert min(windows) >= 32_768
