"""From a scaling run's raw measurements to its tables and its figure."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from amem.errors import ResultsError
from eval.figures.drawn import Drawn
from eval.reporting import write_tables
from eval.scaling.caption import caption
from eval.scaling.cell import CellSpec, cells_of
from eval.scaling.config import Vectors
from eval.scaling.figures import measurements, method_cells, search_cells
from eval.scaling.protocols import protocol_table
from eval.scaling.tables import bound_table, index_table, operations_table, table4
from eval.tables.table import Table
from eval.tables.text import to_text


def report(folder: Path) -> str:
    """Write tables and figure of the cells that are there; returns what the terminal shows."""
    tables, figure = scaling_parts(folder)
    write_tables(folder, tables)
    figure.save(folder)
    return "\n".join(to_text(table) for table in tables)


def scaling_parts(folder: Path) -> tuple[list[Table], Drawn]:
    """Tables and figure of a scaling run; raises ResultsError where nothing is measured yet."""
    from eval.figures.scaling import scaling_figure

    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    measured = measurements(folder)
    searches, methods = search_cells(measured), method_cells(measured)
    if not measured:
        raise ResultsError(f"{folder / 'measurements'} holds no cell; run the experiment first")
    labels = manifest["config"]["methods"]
    manifest["lacking"] = _lacking(manifest["config"], measured)
    made = _made(manifest)
    likened = [cell for cell in searches if cell.vectors == Vectors.TEXT_LIKE] or searches

    def of(kinds: Collection[str]) -> str:
        return caption(manifest, [value for value in measured if value["cell"]["vectors"] in kinds])

    of_methods, of_searches = caption(manifest, methods), of(list(Vectors))
    tables = [
        *([table4(methods, labels, of_methods, made)] if methods else []),
        *([bound_table(searches, of_searches), index_table(searches, of_searches, made)] if searches else []),
        *([operations_table(methods, labels, of_methods)] if methods else []),
        *([protocol_table(likened, of({cell.vectors for cell in likened}))] if likened else []),
    ]
    return tables, scaling_figure(searches, methods, labels)


def _lacking(config: Mapping[str, Any], measured: Collection[Mapping[str, Any]]) -> list[str]:
    """Names of the cells that the run has yet to measure."""
    done = {CellSpec(**value["cell"]).name for value in measured}
    cells = cells_of(config["scaling"]["sizes"], config["scaling"]["vectors"], config["methods"])
    return [cell.name for cell in cells if cell.name not in done]


def _made(manifest: Mapping[str, Any]) -> str:
    made = manifest["text_like"]
    real, drawn = made["real"], made["drawn"]
    return (
        f"Text-like vectors are drawn from {real['vectors']:,} different turns of {manifest['data']['name']}: a point "
        f"between two near turns, and noise with the covariance of near turns' differences, {made['scale']:.2f} times "
        f"its size, which is fitted. As many drawn ones as real ones: median cosine to the nearest "
        f"{drawn['nearest_cosine']:.3f} (real: {real['nearest_cosine']:.3f}), intrinsic dimension "
        f"{drawn['intrinsic_dimension']:.1f} (real: {real['intrinsic_dimension']:.1f}). They are searched with the "
        "data set's questions, and with further drawn vectors (notes). Random vectors have evenly drawn directions: "
        "the worst case. Methods are filled with text-like ones."
    )
