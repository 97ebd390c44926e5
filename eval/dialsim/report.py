"""All tables of a run on DialSim, Table 2 first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from amem.errors import ResultsError
from eval.dialsim.scores import IdkReference, Scorer, registered
from eval.dialsim.scoring import TIME_LIMITS, Judge, Row, time_limits
from eval.dialsim.table2 import table2
from eval.tables import numbers
from eval.tables.meta import RunMeta
from eval.tables.table import Cell, Column, Section, Table
from eval.tables.table import Row as TableRow


def dialsim_tables(
    answers: Iterable[Row],
    meta: RunMeta,
    *,
    idk: IdkReference = IdkReference.PHRASE,
    judge: Judge | None = None,
    score: Scorer = registered,
    max_failure_share: float | None = 0.05,
) -> list[Table]:
    """Raises ResultsError for answers that can't be scored honestly, or of which too many failed (None: never)."""
    rows = list(answers)
    if max_failure_share is not None:
        _check_failures(rows, max_failure_share)
    return [table2(rows, meta, idk=idk, judge=judge, score=score), time_limit_table(rows, meta, judge)]


def time_limit_table(answers: Sequence[Row], meta: RunMeta, judge: Judge | None = None) -> Table:
    """What a limit of so many seconds a question would have done to each method's accuracy."""
    columns = [Column(f"{limit:g} s", name) for limit in TIME_LIMITS for name in ("in time (%)", "accuracy")]
    sections = []
    for backbone in dict.fromkeys(row["backbone"] for row in answers):
        of_backbone = [row for row in answers if row["backbone"] == backbone]
        methods = dict.fromkeys(row["method"] for row in of_backbone)
        rows = [_limits(meta, m, [row for row in of_backbone if row["method"] == m], judge) for m in methods]
        sections.append(Section(meta.backbone(backbone).label, tuple(rows)))
    return Table(
        key="dialsim-time-limits",
        title="DialSim's time limit, on measured latency",
        label="Method",
        columns=tuple(columns),
        sections=tuple(sections),
        notes=(
            "DialSim counts an answer that takes longer than its limit as wrong. Here no answer is cut short: the time "
            "of a question is that of its calls to the model, as measured when they were made; what a method computes "
            "besides them is not in it. Answers from another machine's records have that machine's times.",
        ),
    )


def _limits(meta: RunMeta, method: str, rows: Sequence[Row], judge: Judge | None) -> TableRow:
    texts: list[str] = []
    for limit in time_limits(rows, judge=judge):
        n = limit.answered
        texts += [numbers.share(100 * (n - limit.over) / n) if n else numbers.UNKNOWN]
        texts += [numbers.points(100 * limit.correct_in_time / n) if n else numbers.UNKNOWN]
    return TableRow(meta.method(method).label, tuple(map(Cell, texts)))


def _check_failures(rows: Sequence[Row], max_share: float) -> None:
    refused = []
    for cell in dict.fromkeys((row["backbone"], row["method"]) for row in rows):
        of_cell = [row for row in rows if (row["backbone"], row["method"]) == cell]
        failed = sum(row["prediction"] is None for row in of_cell)
        if failed > max_share * len(of_cell):
            refused.append(f"{'/'.join(cell)}: {failed} of {len(of_cell)}")
    if refused:
        raise ResultsError(
            f"no table: more than {max_share:.0%} of the questions failed for {'; '.join(refused)}. The same run "
            "command asks failed questions again; allow failures (scoring.allow_failures=true, or --allow-failures) "
            "to see the table all the same"
        )
