"""A run has the figures that it has what they need for."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from eval.figures.of_run import figures_of
from eval.report.build import write_report
from tests.eval.report.held import data_of
from tests.eval.report.made_run import made_run

pytestmark = pytest.mark.slow

ALWAYS = ["table1_bars", "tokens_f1", "evidence_f1", "costs"]


@pytest.fixture(scope="module")
def sweep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_run(tmp_path_factory.mktemp("sweep"), "retrieve.sweep=[1,3]", "method=[amem,rag,locomo]")


@pytest.fixture(scope="module")
def ablation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_run(tmp_path_factory.mktemp("ablation"), "method=[amem/without_evolution,amem]")


def test_a_sweep_has_figure_3(sweep: Path):
    figures = {figure.key: figure for figure in figures_of(sweep)}
    assert list(figures) == [ALWAYS[0], "ksweep", *ALWAYS[1:], "tsne"]
    assert "A-Mem, Multi Hop: k = 1" in figures["ksweep"].alt


def test_an_ablation_is_drawn_beside_table_3(ablation: Path):
    assert [figure.key for figure in figures_of(ablation)] == ["ablation", *ALWAYS[1:], "tsne"]


def test_table_3_takes_the_place_of_table_1_where_it_holds_every_method(ablation: Path):
    page = (ablation / "table.html").read_text("utf-8")
    assert 'id="table3"' in page and 'id="table1"' not in page
    assert (ablation / "table.csv").read_text("utf-8").count("\n") > 1


def test_the_report_of_a_sweep_shows_every_row_over_one_memory(sweep: Path):
    (page,) = write_report(sweep)
    text = page.read_text("utf-8")
    assert [f'id="figure-{key}"' in text for key in ("ksweep", "tsne", "costs")] == [True] * 3
    assert [f'<figure id="{key}">' in text for key in ("ksweep", "structure", "table1")] == [True] * 3
    held = data_of(page)
    assert set(held["memoryOf"].values()) == {"amem@k1", "rag@k1", "locomo"}
    (memory,) = held["memories"].values()
    assert {name.partition("/")[0] for name in memory["plain"]} == {"amem@k1", "amem@k3"}


def test_the_paper_stands_beside_published_data_alone(ablation: Path, tmp_path: Path):
    folder = Path(shutil.copytree(ablation, tmp_path / "run"))
    path = folder / "manifest.json"
    told = json.loads(path.read_text("utf-8"))
    told["data"] |= {"is_sample": False, "comparable": True}
    told["config"]["backbones"]["scripted"]["paper_row"] = "gpt-4o-mini"
    path.write_text(json.dumps(told), "utf-8")
    drawn = {figure.key: figure for figure in figures_of(folder)}
    shown = {figure.key: figure for figure in figures_of(ablation)}
    assert b">paper<" in drawn["ablation"].svg() and b">paper<" not in shown["ablation"].svg()
