"""Table 1 with each question counting once, instead of each category."""

from __future__ import annotations

from eval.audit.finding import Arithmetic, Finding, Verdict
from eval.audit.source import AMEM, Published, number
from eval.datasets.categories import Category
from eval.tables.paper import PaperRow


def question_weighted(published: Published, row: PaperRow, *, adversarial: bool = True) -> float:
    """Mean F1 of a row over the questions of the released data."""
    chosen = [category for category in Category if adversarial or category is not Category.ADVERSARIAL]
    total = sum(published.questions(category) for category in chosen)
    return sum(published.questions(category) * number(row, f"{category}_f1") for category in chosen) / total


def check_weights(published: Published) -> list[Finding]:
    rows, overtaken = [], []
    for backbone, methods in published.by_backbone():
        means = {str(row["method"]): question_weighted(published, row) for row in methods}
        without = {str(row["method"]): question_weighted(published, row, adversarial=False) for row in methods}
        leader = max(means, key=means.__getitem__)
        best_rank = min(methods, key=lambda row: number(row, "rank_f1"))["method"]
        if leader != best_rank:
            overtaken.append((backbone, leader, best_rank, means))
        rows += [
            (backbone, str(row["method"]), f"{number(row, 'rank_f1'):.1f}", f"{means[str(row['method'])]:.2f}",
             f"{without[str(row['method'])]:.2f}")
            for row in methods
        ]  # fmt: skip
    counts = " + ".join(f"{published.questions(category):.0f}" for category in Category)
    total = sum(published.questions(category) for category in Category)
    return [
        Finding(
            key="question-weighted",
            place="Table 1",
            title="Who leads when every question counts once",
            verdict=Verdict.DOUBT if overtaken else Verdict.HOLDS,
            statement=f"Weighted by the {counts} = {total:,.0f} questions of the release, "
            + (
                "; ".join(
                    f"on {backbone} {leader} leads with {means[leader]:.2f}, and {best}, ranked first, has "
                    f"{means[str(best)]:.2f}"
                    + _place_of(str(best), means)
                    for backbone, leader, best, means in overtaken
                )
                if overtaken
                else f"{AMEM} leads wherever it is ranked first"
            )
            + ".",
            arithmetic=[
                Arithmetic(
                    ("backbone", "method", "printed mean rank", "question-weighted F1", "without adversarial"),
                    tuple(rows),
                )
            ],
            reading="A mean rank gives the 96 open-domain questions the weight of the 841 single-hop ones."
            if overtaken else "",
        )
    ]  # fmt: skip


def _place_of(method: str, means: dict[str, float]) -> str:
    place = 1 + sum(value > means[method] for value in means.values())
    return f" (place {place} of {len(means)})"
