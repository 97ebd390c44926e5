"""Scores that stand oddly beside each other: BLEU-1 above F1, ROUGE-2 above ROUGE-L."""

from __future__ import annotations

from eval.audit.finding import Arithmetic, Finding, Verdict
from eval.audit.source import Published, columns, label, name_of, number


def check_cells(published: Published) -> list[Finding]:
    return [_bleu_above_f1(published), _rouge(published)]


def _bleu_above_f1(published: Published) -> Finding:
    named = [("Table 1", name_of(row), row) for row in published.table1]
    named += [("Table 3", str(row["method"]), row) for row in published.table3]
    rows = []
    for table, name, row in named:
        for f1, bleu in zip(columns("f1"), columns("bleu1"), strict=True):
            if number(row, bleu) > number(row, f1):
                rows.append((table, name, label(f1).removesuffix(" F1"), number(row, f1), number(row, bleu)))
    rows += [
        ("Table 2", str(row["method"]), "all", number(row, "f1"), number(row, "bleu1"))
        for row in published.table2
        if number(row, "bleu1") > number(row, "f1")
    ]
    rows.sort(key=lambda row: row[3] / row[4])
    counts = {table: sum(row[0] == table for row in rows) for table in ("Table 1", "Table 2", "Table 3")}
    return Finding(
        key="bleu-above-f1",
        place="Tables 1-3",
        title="BLEU-1 above F1",
        verdict=Verdict.DOUBT if rows else Verdict.HOLDS,
        statement=f"BLEU-1 exceeds F1 in {len(rows)} cells ("
        + ", ".join(f"{count} in {table}" for table, count in counts.items())
        + ").",
        arithmetic=[
            Arithmetic(
                ("table", "row", "category", "F1", "BLEU-1", "ratio"),
                tuple((*row[:3], f"{row[3]:.2f}", f"{row[4]:.2f}", f"{row[4] / row[3]:.2f}") for row in rows),
            )
        ] if rows else (),
        reading="BLEU-1 is unigram precision times a penalty for short answers, F1 the harmonic mean of precision and "
        "recall. A mean BLEU-1 a little above the mean F1 is possible, since the two split words differently and long "
        "answers have little recall to lose; a ratio well above 1 is not, over hundreds of short answers."
        if rows else "",
    )  # fmt: skip


def _rouge(published: Published) -> Finding:
    above = [row for row in published.table2 if number(row, "rouge2") > number(row, "rougeL")]
    return Finding(
        key="rouge-2-above-rouge-l",
        place="Table 2",
        title="ROUGE-2 above ROUGE-L",
        verdict=Verdict.DOUBT if above else Verdict.HOLDS,
        statement="; ".join(
            f"{row['method']} prints ROUGE-2 {number(row, 'rouge2'):.2f} and ROUGE-L {number(row, 'rougeL'):.2f}"
            for row in above
        )
        + "."
        if above
        else "ROUGE-2 is at most ROUGE-L in every row.",
        arithmetic=[
            Arithmetic(
                ("method", "ROUGE-2", "ROUGE-L", "ROUGE-2 / ROUGE-L"),
                tuple(
                    (str(row["method"]), f"{number(row, 'rouge2'):.2f}", f"{number(row, 'rougeL'):.2f}",
                     f"{number(row, 'rouge2') / number(row, 'rougeL'):.2f}")
                    for row in published.table2
                ),
            )
        ],
        reading="Two words in sequence are also a common subsequence, so ROUGE-2 can exceed ROUGE-L only for answers "
        "that repeat the reference's phrases in another order; in a mean over a benchmark it does not. One of the two "
        "figures is likely another column's." if above else "",
    )  # fmt: skip
