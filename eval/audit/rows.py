"""Rows of Table 1 that can't be what they say: the same row twice, a row whose cells slipped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from eval.audit.finding import Arithmetic, Finding, Verdict
from eval.audit.ranks import computed_ranks
from eval.audit.source import Published, cell_names, columns, label, name_of, number
from eval.tables.paper import PaperRow

SUSPECT_RATIO = 1.5
"""A BLEU-1 this many times its F1 can't come from tokenisation; where a row has two such cells, a slip is tried."""


def check_rows(published: Published) -> list[Finding]:
    return [_duplicates(published), _shifted(published)]


def _duplicates(published: Published) -> Finding:
    pairs = [
        (one, other)
        for one, other in combinations(published.table1, 2)
        if all(one[column] == other[column] for column in cell_names())
    ]
    cells = ", ".join(label(column) for column in cell_names())
    return Finding(
        key="duplicate-rows",
        place="Table 1",
        title="Rows that are the same in every cell",
        verdict=Verdict.CONTRADICTION if pairs else Verdict.HOLDS,
        statement="; ".join(
            f"{name_of(one)} and {name_of(other)} agree in all {len(cell_names())} cells, to the second decimal"
            for one, other in pairs
        )
        + "."
        if pairs
        else f"No two of the {len(published.table1)} rows agree in all {len(cell_names())} cells.",
        arithmetic=[
            Arithmetic(
                ("row", cells, "tokens"),
                tuple(
                    (name_of(row), ", ".join(f"{number(row, column):.2f}" for column in cell_names()),
                     f"{number(row, 'token_length'):,.0f}")
                    for pair in pairs for row in pair
                ),
            )
        ] if pairs else (),
        reading="Two models do not answer 1,986 questions alike, with different token counts at that: one of the "
        "rows must be the other's." if pairs else "",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Slip:
    """The row read as if one cell were a stray and what follows it had moved one cell to the right."""

    row: PaperRow
    stray: str
    suspects_left: bool
    """Whether a BLEU-1 far above its F1 is left after taking the stray out."""
    f1_cells: dict[str, float]
    """The F1 cells after taking the stray out."""
    restored: dict[str, tuple[float, float, float]]
    """By method: mean F1 rank as printed, from the cells as printed, and after taking the stray out."""

    @property
    def repairs(self) -> bool:
        """Whether no suspect is left, and more of the printed ranks come out, among them the row's own."""
        if self.suspects_left:
            return False
        before = sum(printed == given for printed, given, _ in self.restored.values())
        after = sum(printed == mended for printed, _, mended in self.restored.values())
        own = self.restored[str(self.row["method"])]
        return after > before and own[0] == own[2]


def slips(published: Published) -> list[Slip]:
    """The best reading of each suspect row as slipped by one cell; none where no reading brings back printed ranks.

    Best is a stray that another row prints in the very same column, then the one furthest to the right, which moves
    the fewest cells.
    """
    found = []
    for _, rows in published.by_backbone():
        for row in rows:
            readings = [slip for slip in _readings(row, rows) if slip.repairs] if len(_suspects(row)) >= 2 else []
            found += sorted(readings, key=lambda slip: bool(_twins(published, slip)))[-1:]
    return found


def _twins(published: Published, slip: Slip) -> list[PaperRow]:
    """Other rows that print the stray value in the stray's column."""
    return [row for row in published.table1 if row is not slip.row and row[slip.stray] == slip.row[slip.stray]]


def _suspects(row: PaperRow) -> list[str]:
    pairs = zip(columns("f1"), columns("bleu1"), strict=True)
    return [f1 for f1, bleu in pairs if number(row, bleu) > SUSPECT_RATIO * number(row, f1)]


def _readings(row: PaperRow, rivals: list[PaperRow]) -> Iterator[Slip]:
    names = cell_names()
    for place, stray in enumerate(names[:-1]):
        moved = {name: row[after] for name, after in zip(names[place:], names[place + 1 :], strict=False)}
        mended = {**row, **moved}
        given = computed_ranks(rivals, "f1")
        after = computed_ranks([mended if rival is row else rival for rival in rivals], "f1")
        ranks = {
            str(rival["method"]): (number(rival, "rank_f1"), given[str(rival["method"])], after[str(rival["method"])])
            for rival in rivals
        }
        yield Slip(row, stray, bool(_suspects(mended)), {name: number(mended, name) for name in columns("f1")}, ranks)


def _shifted(published: Published) -> Finding:
    found = slips(published)
    tables = [
        Arithmetic(
            ("method", "printed rank", "from the cells as printed", "with the stray cell taken out"),
            tuple((method, *(f"{rank:.1f}" for rank in ranks)) for method, ranks in slip.restored.items()),
        )
        for slip in found
    ]
    return Finding(
        key="shifted-row",
        place="Table 1",
        title="A row whose cells slipped by one",
        verdict=Verdict.CONTRADICTION if found else Verdict.HOLDS,
        statement=" ".join(_slip_statement(published, slip) for slip in found)
        or "No row becomes consistent with its printed rank by taking one cell out.",
        arithmetic=tables,
        reading="The printed ranks seem to have been computed before the cells slipped." if found else "",
    )


def _slip_statement(published: Published, slip: Slip) -> str:
    row, place = slip.row, cell_names().index(slip.stray)
    suspects = ", ".join(
        f"{number(row, name.replace('_f1', '_bleu1')):.2f} against {number(row, name):.2f} in "
        f"{label(name).removesuffix(' F1')}"
        for name in _suspects(row)
    )
    twins = " and ".join(f"{name_of(twin)}'s" for twin in _twins(published, slip))
    later = [name for name in columns("f1") if cell_names().index(name) >= place]
    cells = ", ".join(f"{slip.f1_cells[name]:.2f}" for name in later)
    mended = [
        f"{printed:.1f} for {method} (from the cells as printed {given:.1f})"
        for method, (printed, given, after) in slip.restored.items()
        if given != printed == after
    ]
    return (
        f"{name_of(row)} prints BLEU-1 far above F1 ({suspects}). Its cell {label(slip.stray)} "
        f"{number(row, slip.stray):.2f}{f' is {twins} of the same column' if twins else ''}. Without it, and with what "
        f"follows moved one cell to the left, the F1 cells from there on read {cells}, no BLEU-1 is far above its F1, "
        f"and these printed mean ranks come out: {', '.join(mended)}."
    )
