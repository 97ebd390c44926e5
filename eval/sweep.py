"""k swept within one run: `retrieve.sweep` makes a row of every k, and rows share a memory where they can."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from amem.errors import ConfigurationError
from eval.config import MethodConfig, RunConfig, SweptConfig

Methods = dict[str, MethodConfig]


def swept(
    run: RunConfig, methods_with: Callable[[int], Methods], at_recall: Callable[[MethodConfig], frozenset[str]]
) -> Methods:
    """A row a method and k of `retrieve.sweep`, named `<method>@k<k>`; a method that k does not reach keeps its row.

    `at_recall` tells the settings that act when a memory is asked and not when it is built.
    """
    values = run.retrieve.sweep or []
    if not values or len(set(values)) < len(values) or min(values) < 1:
        raise ConfigurationError(f"retrieve.sweep={values}: different numbers from 1 on are needed")
    by_k = {k: methods_with(k) for k in values}
    found: Methods = {}
    for name, method in run.methods.items():
        rows = {k: methods[name] for k, methods in by_k.items()}
        if all(row.settings == rows[values[0]].settings for row in rows.values()):
            found[name] = method
        else:
            # DialSim asks while the memory is being built, so no two rows can ask the same one.
            found |= _rows(name, rows, at_recall(method) if run.dialsim is None else frozenset())
    return found


def _rows(name: str, rows: dict[int, MethodConfig], at_recall: frozenset[str]) -> Methods:
    found: Methods = {}
    first: dict[str, str] = {}
    for k, row in rows.items():
        own = f"{name}@k{k}"
        built = {key: value for key, value in row.settings.items() if key not in at_recall}
        memory = first.setdefault(json.dumps(built, sort_keys=True), own)
        found[own] = replace(row, label=f"{row.label}, k = {k}", paper_row=None, swept=SweptConfig(name, k, memory))
    return found
