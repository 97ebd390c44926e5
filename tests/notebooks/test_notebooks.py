"""Every notebook runs top to bottom on a finished run of the shipped sample, and is kept without outputs."""

from __future__ import annotations

import ast
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.eval.report.made_run import made_run
from tests.eval.scaling.test_scaling_report import folder as scaling_folder  # noqa: F401

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
OF_ONE_RUN = [path for path in NOTEBOOKS if path.stem in ("table1", "tsne", "memory_walk")]
IDS = [path.stem for path in NOTEBOOKS]


def test_every_notebook_is_here():
    assert set(IDS) == {"table1", "ksweep", "scaling", "tsne", "memory_walk"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=IDS)
def test_a_notebook_is_kept_without_outputs_and_holds_no_logic(path: Path):
    cells = nbformat.read(path, 4).cells
    code = [cell for cell in cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in code)
    statements = [statement for cell in code for statement in ast.parse(cell.source).body]
    assert {type(one) for one in statements} <= {ast.Assign, ast.Expr, ast.Import, ast.ImportFrom}


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_run(tmp_path_factory.mktemp("notebooks"))


def executed(path: Path, folder: Path) -> list:
    """The outputs of a notebook that is run on `folder`."""
    notebook = nbformat.read(path, 4)
    (parameters,) = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", ())]
    parameters.source = f"run_folder = {str(folder)!r}"
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(ROOT)}}).execute()
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


@pytest.mark.slow
@pytest.mark.parametrize("path", OF_ONE_RUN, ids=lambda path: path.stem)
def test_a_notebook_runs_top_to_bottom(path: Path, run_folder: Path):
    assert len(executed(path, run_folder)) >= 2


@pytest.mark.slow
def test_the_ksweep_notebook_runs_on_a_sweep(tmp_path: Path):
    folder = made_run(tmp_path, "retrieve.sweep=[1,3]")
    kinds = [sorted(output.data) for output in executed(ROOT / "notebooks" / "ksweep.ipynb", folder)]
    pictures = [["image/png", "text/plain"], ["text/html", "text/plain"], ["image/svg+xml", "text/plain"]]
    assert kinds[1:] == [*pictures, ["text/html", "text/plain"]]


@pytest.mark.slow
def test_the_scaling_notebook_runs_on_a_scaling_run(scaling_folder: Path):  # noqa: F811
    shown = executed(ROOT / "notebooks" / "scaling.ipynb", scaling_folder)
    assert [sorted(output.data) for output in shown[-2:]] == [["image/png", "text/plain"], ["text/html", "text/plain"]]
