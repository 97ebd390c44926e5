"""Table 3 held against Table 1 and against the sentences about it."""

from __future__ import annotations

from functools import partial

from eval.audit.finding import Arithmetic, Finding, Verdict
from eval.audit.source import AMEM, Published, cell_names, columns, label, number
from eval.datasets.categories import Category

BACKBONE = "gpt-4o-mini"
NAMED = (Category.MULTI_HOP, Category.OPEN_DOMAIN)
"""The categories that section 4.5 names as hit most when both modules are off."""


def check_ablation(published: Published) -> list[Finding]:
    return [_same_row(published), _best(published), _losses(published)]


def _same_row(published: Published) -> Finding:
    full = next(row for row in published.table3 if row["method"] == AMEM)
    other = next(row for row in published.table1 if (row["backbone"], row["method"]) == (BACKBONE, AMEM))
    differing = tuple(
        (label(name), f"{number(full, name):.2f}", f"{number(other, name):.2f}")
        for name in cell_names()
        if full[name] != other[name]
    )
    return Finding(
        key="ablation-full-row",
        place="Table 3",
        title="The full model's row is that of Table 1",
        verdict=Verdict.CONTRADICTION if differing else Verdict.HOLDS,
        statement=f"{len(cell_names()) - len(differing)} of {len(cell_names())} cells agree with Table 1, {BACKBONE}.",
        arithmetic=[Arithmetic(("cell", "Table 3", "Table 1"), differing)] if differing else (),
    )


def _best(published: Published) -> Finding:
    leaders = {name: max(published.table3, key=partial(number, column=name))["method"] for name in cell_names()}
    beaten = [name for name, leader in leaders.items() if leader != AMEM]
    return Finding(
        key="ablation-best",
        place="Section 4.5",
        title="The full model is best throughout",
        verdict=Verdict.CONTRADICTION if beaten else Verdict.HOLDS,
        statement=f"The full model leads in {len(cell_names()) - len(beaten)} of {len(cell_names())} cells.",
    )


def _losses(published: Published) -> Finding:
    full = next(row for row in published.table3 if row["method"] == AMEM)
    none = min(published.table3, key=lambda row: sum(number(row, name) for name in columns("f1")))
    losses = {
        category: 100 * (1 - number(none, f"{category}_f1") / number(full, f"{category}_f1")) for category in Category
    }
    order = sorted(Category, key=losses.__getitem__, reverse=True)
    misnamed = [category for category in NAMED if order.index(category) >= len(NAMED)]
    return Finding(
        key="ablation-losses",
        place="Section 4.5",
        title="Which categories lose most without links and evolution",
        verdict=Verdict.CONTRADICTION if misnamed else Verdict.HOLDS,
        statement=(
            f"The text names {' and '.join(category.label for category in NAMED)}. {none['method']} loses most in "
            f"{order[0].label} ({losses[order[0]]:.0f}%) and {order[1].label} ({losses[order[1]]:.0f}%), least in "
            f"{order[-1].label} ({losses[order[-1]]:.0f}%)."
        ),
        arithmetic=[
            Arithmetic(
                ("category", "full", str(none["method"]), "loss"),
                tuple(
                    (category.label, f"{number(full, f'{category}_f1'):.2f}", f"{number(none, f'{category}_f1'):.2f}",
                     f"{losses[category]:.0f}%")
                    for category in order
                ),
            )
        ],
        reading="In the released code neither module changes the vector under which a note is stored when it is "
        "inserted, so that such a fall on questions that one turn answers is unexplained." if misnamed else "",
    )  # fmt: skip
