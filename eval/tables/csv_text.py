"""CSV: plain values by column name, empty where a value is unknown."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

from eval.tables.table import Table


def to_csv(table: Table) -> str:
    records = list(table.records or _cells(table))
    names = list(dict.fromkeys(name for record in records for name in record))
    out = io.StringIO()
    writer = csv.DictWriter(out, names, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _plain(value) for name, value in record.items()} for record in records)
    return out.getvalue()


def _cells(table: Table) -> Iterator[Mapping[str, Any]]:
    names = [f"{column.group} {column.name}".strip() for column in table.columns]
    for section in table.sections:
        for row in section.rows:
            values = dict(zip(names, (cell.text for cell in row.cells), strict=True))
            yield {"section": section.heading, table.label or "row": row.label, **values}


def _plain(value: Any) -> Any:
    if value is None or value != value:
        return ""
    return f"{value:.4f}".rstrip("0").rstrip(".") if isinstance(value, float) else value
