"""Section 4.4: what a memory operation and an answer cost, method by method, and what that saves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from eval.scoring.costs import MethodCost, Place, Spent
from eval.tables import numbers
from eval.tables.layout import minor
from eval.tables.meta import RunMeta
from eval.tables.paper import paper_table
from eval.tables.table import Cell, Column, Row, Section, Table

FULL_CONTEXT = "LoCoMo"
"""The paper's row that savings are held against."""
_PAPER = (
    "The paper says that a memory operation takes about 1,200 tokens and does not say what counts as one; its 85–93% "
    "fewer tokens compare that figure with the full context's tokens for an answer."
)
_PARTS = ("calls", "tokens", "seconds", "usd")
_COLUMNS = (
    *(Column("Memory operation (a turn)", part) for part in _PARTS),
    *(Column("Answer", part) for part in _PARTS),
    *(Column("Conversation", part) for part in ("tokens", "usd")),
    *(Column("Tokens against full context", part) for part in ("an answer", "with building")),
)


def cost_table(costs: Mapping[Place, MethodCost], meta: RunMeta) -> Table:
    """`costs` by backbone and method; a sample's table has no rows of the paper."""
    sections = []
    for backbone in dict.fromkeys(backbone for backbone, _ in costs):
        own = {method: cost for (of, method), cost in costs.items() if of == backbone}
        full = _full_context(own, meta)
        rows = [row for method, cost in own.items() for row in _rows(meta.method(method).label, cost, full)]
        sections.append(Section(meta.backbone(backbone).label, tuple(rows)))
    published = meta.comparable and not meta.is_sample
    if published:
        sections.append(Section("Paper, section 4.4", (_paper(),)))
    return Table(
        key="costs",
        title="Cost-efficiency: memory operations and answers",
        label="Method",
        columns=_COLUMNS,
        sections=tuple(sections),
        caption=f"Means over turns taken in and questions asked. Data: {meta.data}; {meta.settings}; run {meta.run}.",
        notes=(
            "tokens: prompt and completion as the provider counts. seconds: what its replies took, one after the "
            "other, when they were made; embedding and search not included. usd: at the prices of the run's "
            "configuration; a local model's are zero unless they are set.",
            "Conversation: taking in all of its turns and asking all of its questions, means over the conversations. "
            "A method that builds once pays more the fewer questions are asked of it.",
            *_against_full_context(costs, meta),
            *([_PAPER] if published else []),
        ),
        records=tuple(_record(place, cost) for place, cost in costs.items()),
    )  # fmt: skip


def _full_context(own: Mapping[str, MethodCost], meta: RunMeta) -> MethodCost | None:
    return next((cost for method, cost in own.items() if meta.method(method).paper_row == FULL_CONTEXT), None)


def _against_full_context(costs: Mapping[Place, MethodCost], meta: RunMeta) -> list[str]:
    """What the columns hold; nothing but that they are unknown where no backbone has the row to compare with."""
    full = {meta.method(method).label for _, method in costs if meta.method(method).paper_row == FULL_CONTEXT}
    if not full:
        return ["Tokens against full context: –, the run has no full-context row to compare with."]
    return [
        f"Tokens against full context: how many more (+) or fewer (−) than the {' and '.join(sorted(full))} row takes, "
        "per answer, as the paper counts, and with the building shared out among this run's questions."
    ]


def _rows(label: str, cost: MethodCost, full: MethodCost | None) -> list[Row]:
    against = [numbers.UNKNOWN] * 2
    if full is cost:
        against = ["full context", ""]
    elif full is not None:
        whole = [each.conversation("tokens", each.questions) for each in (cost, full)]
        against = [_against(cost.answer.tokens, full.answer.tokens), _against(*whole)]
    texts = [
        *_spent(cost.operation),
        *_spent(cost.answer),
        numbers.whole(cost.conversation("tokens", cost.questions)),
        _usd(cost.conversation("usd", cost.questions)),
        *against,
    ]
    width = len(_COLUMNS)
    return [
        Row(label, tuple(map(Cell, texts))),
        minor("median", [*_middle(cost.operation, "median"), *_middle(cost.answer, "median")], width),
        minor("95th percentile", [*_middle(cost.operation, "p95"), *_middle(cost.answer, "p95")], width),
    ]


def _spent(spent: Spent) -> list[str]:
    return [numbers.points(spent.calls), numbers.whole(spent.tokens), numbers.points(spent.seconds), _usd(spent.usd)]


def _middle(spent: Spent, part: str) -> list[str]:
    tokens, seconds = getattr(spent, f"tokens_{part}"), getattr(spent, f"seconds_{part}")
    return ["", "" if tokens is None else numbers.whole(tokens), "" if seconds is None else numbers.points(seconds), ""]


def _against(own: float, full: float) -> str:
    return f"{numbers.signed_whole(100 * (own / full - 1))}%" if full else numbers.UNKNOWN


def _usd(value: float) -> str:
    return f"{value:.6f}"


def _paper() -> Row:
    def value(quantity: str, backbone: str) -> Any:
        rows = paper_table("memory_operation")
        return next(row["value"] for row in rows if (row["quantity"], row["backbone"]) == (quantity, backbone))

    texts = ["", numbers.whole(value("tokens", "any")), numbers.points(value("seconds", "GPT-4o-mini")),
             f"<{value('usd', 'a commercial API'):.4f}"]  # fmt: skip
    rest = [""] * (len(_COLUMNS) - len(texts) - 2)
    return Row("A-Mem, GPT-4o-mini", tuple(map(Cell, [*texts, *rest, "−85 to −93%", ""])))


def _record(place: Place, cost: MethodCost) -> dict[str, object]:
    record: dict[str, object] = {"backbone": place[0], "method": place[1]}
    for name, spent in (("operation", cost.operation), ("answer", cost.answer)):
        record |= {f"{name}_{field}": getattr(spent, field) for field in Spent.__dataclass_fields__}
    return record | {
        "turns": cost.turns,
        "questions": cost.questions,
        **{f"conversation_{q}": cost.conversation(q, cost.questions) for q in ("tokens", "seconds", "usd")},
    }
