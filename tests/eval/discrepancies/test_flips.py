"""Which switches are flipped, and to what."""

from __future__ import annotations

import pytest

from amem.errors import ConfigurationError
from eval.composition import compose, method_settings
from eval.config import RunConfig
from eval.discrepancies.variants import flips, label, with_flips

AUDIT = ["experiment=discrepancies", "backbone=[scripted]"]


def config(*overrides: str) -> RunConfig:
    return compose([*AUDIT, *overrides])


def test_every_switch_that_can_be_measured_is_flipped_to_the_released_value() -> None:
    assert dict(flips(config())) == {
        "note_time": {"note_time": False},
        "empty_context": {"empty_context": "General"},
        "index_text": {"index_text": "note_embedding_context_keywords"},
        "refresh": {"refresh": "every", "refresh_every": 100, "refresh_text": "note_embedding_refreshed"},
        "neighbour_query": {"neighbour_query": "content"},
        "link_k": {"link_k": 5},
        "evolution_call": {"evolution_call": "joint"},
        "evolving": {"evolving": ("context", "tags")},
        "strengthen_tags": {"strengthen_tags": True},
        "links_as": {"links_as": "positions"},
        "query": {"query": "keywords"},
        "link_direction": {"link_direction": "out"},
        "link_cap": {"link_cap": "shared_released"},
        "linked_once": {"linked_once": False},
    }


def test_each_flip_is_the_papers_variant_but_for_its_switch() -> None:
    made = with_flips(config())
    paper = made.methods["amem_paper"].settings
    for name, values in flips(config()):
        settings = made.methods[f"flip_{name}"].settings
        assert settings == {**paper, **values}
        method_settings(name, "amem.agentic.AMem", settings)


def test_the_papers_variant_comes_first_and_the_whole_ones_last() -> None:
    names = list(with_flips(config()).methods)
    assert names[0] == "amem_paper"
    assert names[-2:] == ["amem_released", "amem_head"]


def test_a_switch_that_the_configuration_has_at_the_released_value_is_not_flipped() -> None:
    assert "link_k" not in dict(flips(config("link.k=5")))


def test_a_configuration_without_the_variants_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="amem_released is missing"):
        with_flips(config("method=[amem/paper,amem/head]"))


def test_a_flip_is_labelled_as_it_would_be_configured() -> None:
    assert label("evolving", {"evolving": ("context", "tags")}) == "evolving: [context, tags]"
    assert label("link_k", {"link_k": 1}) == "link_k: 1"
    assert label("linked_once", {"linked_once": False}) == "linked_once: false"
