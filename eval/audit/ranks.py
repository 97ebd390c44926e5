"""Table 1's mean ranks, from its own cells."""

from __future__ import annotations

from collections.abc import Sequence

from eval.audit.finding import Arithmetic, Finding, Verdict
from eval.audit.source import NAMES, SCORES, Published, columns, name_of, number
from eval.tables.paper import PaperRow
from eval.tables.ranks import mean_ranks


def computed_ranks(rows: Sequence[PaperRow], score: str) -> dict[str, float]:
    """Mean rank of each method of one backbone over the five categories, to one decimal as it is printed."""
    ranks = mean_ranks({str(row["method"]): [number(row, column) for column in columns(score)] for row in rows})
    return {method: round(rank, 1) for method, rank in ranks.items()}


def check_ranks(published: Published) -> list[Finding]:
    return [_recomputed(published, score) for score in SCORES] + [_copied(published)]


def _recomputed(published: Published, score: str) -> Finding:
    wrong = []
    for _, rows in published.by_backbone():
        computed = computed_ranks(rows, score)
        wrong += [row for row in rows if number(row, f"rank_{score}") != computed[str(row["method"])]]
    table = [_row(published, row, score) for row in wrong]
    total = len(published.table1)
    return Finding(
        key=f"rank-{score}",
        place="Table 1",
        title=f"Mean ranks of {NAMES[score]}",
        verdict=Verdict.CONTRADICTION if wrong else Verdict.HOLDS,
        statement=(
            f"The mean rank over the five categories, recomputed from the {NAMES[score]} cells, differs from the "
            f"printed one in {len(wrong)} of {total} rows.{_agreement(published, wrong)}"
        ),
        arithmetic=[
            Arithmetic(("backbone", "method", "rank in each category", "mean", "printed"), tuple(table))
        ] if table else (),
    )  # fmt: skip


def _agreement(published: Published, wrong: Sequence[PaperRow]) -> str:
    right = [name for name, rows in published.by_backbone() if not any(row in wrong for row in rows)]
    methods = dict.fromkeys(str(row["method"]) for row in published.table1)
    always = [name for name in methods if not any(row["method"] == name for row in wrong)]
    parts = [f"for every method on {' and '.join(right)}"] if right else []
    parts += [f"for {' and '.join(always)} on every backbone"] if always else []
    return f" It agrees {' and '.join(parts)}." if parts and wrong else ""


def _row(published: Published, row: PaperRow, score: str) -> tuple[str, ...]:
    rivals = dict(published.by_backbone())[str(row["backbone"])]
    ranks = [_rank(row, rivals, column) for column in columns(score)]
    mean = computed_ranks(rivals, score)[str(row["method"])]
    shown = " + ".join(f"{rank:g}" for rank in ranks)
    return (
        str(row["backbone"]), str(row["method"]), f"({shown}) / {len(ranks)}", f"{mean:.1f}",
        f"{number(row, f'rank_{score}'):.1f}",
    )  # fmt: skip


def _rank(row: PaperRow, rivals: Sequence[PaperRow], column: str) -> float:
    ranks = mean_ranks({str(rival["method"]): [number(rival, column)] for rival in rivals})
    return ranks[str(row["method"])]


def _copied(published: Published) -> Finding:
    same = [row for row in published.table1 if row["rank_f1"] == row["rank_bleu1"]]
    differing = []
    for _, rows in published.by_backbone():
        f1, bleu = computed_ranks(rows, "f1"), computed_ranks(rows, "bleu1")
        differing += [
            (name_of(row), f"{f1[str(row['method'])]:.1f}", f"{bleu[str(row['method'])]:.1f}",
             f"{number(row, 'rank_f1'):.1f}", f"{number(row, 'rank_bleu1'):.1f}")
            for row in rows if f1[str(row["method"])] != bleu[str(row["method"])]
        ]  # fmt: skip
    copied = len(same) == len(published.table1) and bool(differing)
    return Finding(
        key="rank-bleu-copied",
        place="Table 1",
        title="The BLEU-1 ranks repeat the F1 ranks",
        verdict=Verdict.CONTRADICTION if copied else Verdict.HOLDS,
        statement=(
            f"The two rank columns print the same number in {len(same)} of {len(published.table1)} rows, while the "
            f"cells give different mean ranks for F1 and BLEU-1 in {len(differing)} rows."
        ),
        arithmetic=[
            Arithmetic(("row", "F1 computed", "BLEU computed", "F1 printed", "BLEU printed"), tuple(differing))
        ] if differing else (),
        reading="The BLEU-1 column seems to have been copied from the F1 column." if copied else "",
    )  # fmt: skip
