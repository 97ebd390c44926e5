"""The variants of A-Mem that ship: what they set, and that every line says where its value comes from."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Any

import pytest

from amem.settings import AMemSettings
from eval.composition import CONFIGS, compose, method_settings
from tests.amem.a_mem import RELEASED

FOLDER = CONFIGS / "method" / "amem"
SOURCES = {"paper": r"equation|section|paper", "released": "7f716dc", "head": "0c8039f"}


def settings(choice: str) -> dict[str, Any]:
    (method,) = compose([f"method=[{choice}]", "backbone=[scripted]", "link.k=10", "retrieve.k=10"]).methods.values()
    return asdict(method_settings(choice, method._target_, method.settings))


def test_the_default_is_the_papers_variant_and_so_are_the_defaults_of_the_settings() -> None:
    assert settings("amem") == settings("amem/paper") == asdict(AMemSettings())


def test_the_released_variant_differs_from_the_papers_in_every_published_discrepancy() -> None:
    paper, released = settings("amem/paper"), settings("amem/released")
    assert {name for name in paper if paper[name] != released[name]} == {
        "note_time", "empty_context", "construct_ahead", "index_text", "refresh", "neighbour_query", "link_k",
        "evolution_call", "evolving", "strengthen_tags", "links_as", "query", "link_direction", "link_cap",
        "linked_once",
    }  # fmt: skip


def test_the_tests_of_the_released_variant_use_its_values() -> None:
    assert {**settings("amem/released"), **RELEASED} == settings("amem/released")


def test_the_head_differs_from_the_released_one_in_what_is_embedded_and_in_the_cap() -> None:
    released, head = settings("amem/released"), settings("amem/head")
    assert {name for name in released if released[name] != head[name]} == {"index_text", "link_cap"}


@pytest.mark.parametrize(("name", "source"), SOURCES.items())
def test_every_value_names_its_source(name: str, source: str) -> None:
    lines = (FOLDER / f"{name}.yaml").read_text("utf-8").partition("settings:\n")[2].splitlines()
    assert lines
    assert [line for line in lines if not re.search(f"#.*({source})", line)] == []


@pytest.mark.parametrize("name", ["paper", "released", "head"])
def test_a_variant_has_a_row_of_its_own_that_names_it(name: str) -> None:
    methods = compose([f"method=[amem/{name}]", "backbone=[scripted]"]).methods
    assert list(methods) == [f"amem_{name}"]
    assert re.search({"paper": "paper"}.get(name, SOURCES[name]), methods[f"amem_{name}"].label)
