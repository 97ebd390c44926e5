"""What a cell measures: indexes held against the exact one, and methods filled past the model."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from amem.contract import Question, Tools
from amem.errors import ConfigurationError
from amem.lm.types import Message, Request
from amem.prompting.pack import PromptPack
from baselines.rag import Rag, RagSettings
from eval.composition import compose, resolve_class
from eval.runner.build import Builder
from eval.scaling.clock import Timing
from eval.scaling.config import HnswConfig, IvfConfig, ScalingConfig, Vectors
from eval.scaling.indexes import exact, ivf, recall
from eval.scaling.method_cell import Bench
from eval.scaling.search_cell import measure
from eval.scaling.stand_in import StandInModel
from eval.scaling.stores import check_fillable, distinct, fill
from eval.scaling.vectors import TextLike, random_vectors
from tests.support import DEFAULT_PACK, WordEmbedder, tools_for

DIMENSION = 64
SMALL = ScalingConfig(
    sizes=[300], queries=20, batch=40, k=5, operations=2, call_seconds=0.01,
    hnsw=HnswConfig(m=16, ef=[8, 300]), ivf=IvfConfig(probes=[1, 35, 999]),
)  # fmt: skip


@pytest.fixture(scope="module")
def drawn() -> TextLike:
    return TextLike(random_vectors(80, DIMENSION, seed=9), scale=0.6)


def searches(found: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return next(index for index in found["indexes"] if index["name"] == name)["searches"]


QUERIES = {Vectors.TEXT_LIKE: {"questions", "notes"}, Vectors.RANDOM: {"random"}}


@pytest.mark.parametrize(("kind", "queries"), QUERIES.items())
def test_an_index_that_looks_everywhere_finds_what_the_exact_one_finds(
    drawn: TextLike, kind: Vectors, queries: set[str]
) -> None:
    found = measure(SMALL, 300, kind, drawn, random_vectors(7, DIMENSION, seed=2), seed=0)
    assert {search["queries"] for search in searches(found, "exact")} == queries
    everywhere = [s for s in searches(found, "hnsw") if s["settings"] == {"ef": 300}]
    everywhere += [s for s in searches(found, "ivf") if s["settings"] == {"probes": 35}]
    assert len(everywhere) == 2 * len(queries)
    assert all(search["recall"] == 1.0 for search in everywhere)
    narrow = [s["recall"] for s in searches(found, "ivf") if s["settings"] == {"probes": 1}]
    assert all(0 < value < 1 for value in narrow)


def test_raw_seconds_are_kept_and_more_lists_than_there_are_is_no_setting(drawn: TextLike) -> None:
    found = measure(SMALL, 300, Vectors.RANDOM, drawn, random_vectors(7, DIMENSION, seed=2), seed=0)
    assert len(found["read"]["seconds"]) == SMALL.queries
    assert all(len(search["seconds"]) == SMALL.queries for search in searches(found, "hnsw"))
    assert [search["settings"]["probes"] for search in searches(found, "ivf")] == [1, 35]


def test_the_exact_index_weighs_its_vectors() -> None:
    built = exact(random_vectors(500, DIMENSION, seed=0))
    assert 0 <= built.index_bytes - 500 * DIMENSION * 4 < 200


def test_a_small_index_is_made_without_a_warning(capfd: pytest.CaptureFixture[str]) -> None:
    ivf(random_vectors(200, DIMENSION, seed=0), IvfConfig())
    assert capfd.readouterr() == ("", "")


def test_recall_counts_shared_rows_whatever_their_order() -> None:
    assert recall(np.array([[1, 2, 3], [4, 5, 6]]), np.array([[3, 1, 9], [6, 5, 4]])) == pytest.approx(5 / 6)


@pytest.mark.parametrize("name", ["amem", "memorybank", "readagent"])
def test_a_filled_method_recalls_and_takes_in_more(drawn: TextLike, name: str) -> None:
    method = compose([f"method=[{name}]", "backbone=[scripted]"]).methods[name]
    bench = Bench(Builder(name, method), PromptPack(DEFAULT_PACK), WordEmbedder(DIMENSION), SMALL, 50)
    found = bench.measure(drawn, ["I walk.", "You sing."], ["Who walks?", "Who sings?"])
    assert len(found["retrievals"]) == len(found["operations"]) == SMALL.operations
    assert all(operation["calls"] > 0 for operation in found["operations"])
    assert all(o["seconds"] > o["model_seconds"] >= SMALL.call_seconds for o in found["operations"])
    assert (found["search_seconds"] is None) == (found["index_bytes"] == 0) == (name == "readagent")
    assert bench.method.recall(Question("q", "Who walks?", "single_hop")).text


def test_a_filled_memory_of_a_mem_is_a_memory_of_a_mem(drawn: TextLike) -> None:
    method = compose(["method=[amem]", "backbone=[scripted]"]).methods["amem"]
    build = Builder("amem", method)
    tools = tools_for(lambda request: "", dimension=DIMENSION)
    filled = build(tools)
    fill(filled, 40, distinct(["I walk."]), iter(drawn.draw(40, seed=0)))
    copy = build(tools)
    copy.restore(filled.snapshot())
    assert copy.snapshot().state == filled.snapshot().state
    assert len(filled.snapshot().state["notes"]) == 40


def test_a_method_that_can_not_be_filled_is_named() -> None:
    with pytest.raises(ConfigurationError, match="can't fill Rag; it knows AMem"):
        fill(Rag(RagSettings(), tools_for(lambda request: "")), 1, iter(["a"]), iter([]))


def test_the_methods_that_an_error_offers_can_be_filled() -> None:
    with pytest.raises(ConfigurationError, match=r"fill rag \(Rag\); it knows AMem") as error:
        check_fillable({"rag": Rag})
    (offered,) = re.findall(r"method=\[.*\]", str(error.value))
    methods = compose([offered, "backbone=[scripted]"]).methods
    check_fillable({name: resolve_class(method._target_) for name, method in methods.items()})
    assert len(methods) == 3


def test_the_stand_in_sleeps_as_often_as_calls_come_one_after_the_other() -> None:
    model = StandInModel(0.02, concurrency=2)
    replies = model.complete_many([Request((Message("user", "say it"),), "any")] * 3)
    assert len(replies) == model.calls == 3
    assert 0.04 <= model.seconds < 0.2
    assert isinstance(Tools(model, WordEmbedder(4), PromptPack(DEFAULT_PACK)).lm, StandInModel)  # type: ignore[arg-type]


def test_figures_of_a_timing() -> None:
    timing = Timing.of([1.0, 2.0, 3.0, 10.0])
    assert (timing.n, timing.median, timing.mean) == (4, 2.5, 4.0)
    assert timing.sd == pytest.approx(4.0825, abs=1e-4)
    assert 9 < timing.p99 <= 10
