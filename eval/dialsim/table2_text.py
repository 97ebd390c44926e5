"""Table 2 as Markdown and CSV, with what is doubtful about the published one."""

from __future__ import annotations

import csv
import io

from eval.dialsim.table2 import COLUMNS, CONSTANT, Group, IdkReference, Line, Table2

_IDK_WORDS = {
    IdkReference.PHRASE: 'compared with "I don\'t know."',
    IdkReference.OPTION: "compared with the fifth option's text",
    IdkReference.EXCLUDED: "left out",
}

DOUBTS = (
    "The paper does not say which shows, how many episodes or questions, which backbone, k, prompt or reference stand "
    "behind its Table 2, and neither of its repositories runs DialSim. Agreement in the absolute is no aim; at most "
    "the order of the methods is.",
    "About four in ten questions can't be answered. Where declining counts as their right answer, always declining "
    "scores about as many points as there are such questions (the last line of each backbone); the paper's rows, all "
    "below 4, then mean that such questions were left out, or that the systems hardly ever declined, or did so in "
    "words that share nothing with the reference.",
    "With the options in the prompt, others' runs of A-Mem reach an F1 of 33 to 49; the paper's 3.45 can only be "
    "open-ended answers. Its BLEU-1 near F1 and METEOR at 0.6 of F1 point to short replies.",
    "Printed A-Mem ROUGE-2 (3.60) is above its ROUGE-L (3.54). On short answers that can hardly be: a shared pair of "
    "words is also a shared subsequence. That cell is suspect. The printed LoCoMo BLEU-1 (3.13) is above its F1 "
    "(2.55), which only differences in tokenisation or repeated words allow.",
    "One show is about 340,000 tokens. The full-history row can't have held it within a window of 128,000; what the "
    "full-history method here leaves out stands in its recalls. The paper's 1,300 sessions and 350,000 tokens are "
    "means a show, not totals.",
)


def markdown(table: Table2) -> str:
    """The table for people: a section a backbone, ours with the paper's value and the difference below it."""
    parts = [caption(table)]
    for backbone in dict.fromkeys(line.backbone for line in table.lines):
        parts.append(_section(table, backbone))
    return "\n\n".join([*parts, doubts()]) + "\n"


def caption(table: Table2) -> str:
    shows = ", ".join(f"{show} ({count} questions)" for show, count in table.shows.items())
    facts = ", ".join(f"{name} {value}" for name, value in table.facts.items())
    rule = "with a judge" if table.judged else "by equality alone: a lower bound for answers in words"
    return (
        f"**Table 2. DialSim**: {shows}; {facts}. Means over questions, ×100. Questions that can't be answered are "
        f"{_IDK_WORDS[table.idk]}. Accuracy is DialSim's own, {rule}. Days: share of the days that hold the evidence "
        "of which something was recalled."
    )


def doubts() -> str:
    """What is doubtful about the published table."""
    return "\n".join(["Doubts about the published table:", "", *(f"{n}. {text}" for n, text in enumerate(DOUBTS, 1))])


def _section(table: Table2, backbone: str) -> str:
    heads = ["Method", "Questions", *(head for head, _ in COLUMNS.values()), "Accuracy", "Days", "n", "failed"]
    rows = [f"| {' | '.join(heads)} |", "|" + "---|" * 2 + "---:|" * (len(heads) - 2)]
    for line in table.lines:
        if line.backbone == backbone:
            rows += _rows(table, line)
    return "\n".join([f"### {backbone}", "", *rows])


def _rows(table: Table2, line: Line) -> list[str]:
    accuracy = "–" if line.accuracy.share is None else f"{100 * line.accuracy.share:.2f}"
    days = "–" if line.day_recall is None else f"{100 * line.day_recall:.1f}"
    scores = [f"{line.scores[name]:.2f}" if line.scores else "–" for name in COLUMNS]
    rows = [_row(line.method, line.group, *scores, accuracy, days, str(line.answered), str(line.failed))]
    paper = table.paper.get(line.paper_row or "")
    if paper and line.group is Group.OVERALL:
        rows.append(_row(f"{line.method}, paper", "not said", *(f"{paper[n]:.2f}" for n in COLUMNS), "", "", "", ""))
        if line.scores:
            gaps = [f"{line.scores[name] - paper[name]:+.2f}" for name in COLUMNS]
            rows.append(_row(f"{line.method}, difference", "", *gaps, "", "", "", ""))
    return rows


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def csv_text(table: Table2) -> str:
    """The same as data: a line a backbone, method and group, with the paper's values beside ours."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    columns = [column for _, column in COLUMNS.values()]
    writer.writerow(
        ["backbone", "method", "group", *columns, *(f"paper_{c}" for c in columns),
         "accuracy", "day_recall", "answered", "ambiguous", "failed"]
    )  # fmt: skip
    for line in table.lines:
        paper = table.paper.get(line.paper_row or "", {}) if line.group is Group.OVERALL else {}
        writer.writerow(
            [
                line.backbone,
                "constant" if line.method == CONSTANT else line.method,
                line.group.value,
                *(_number(line.scores.get(name)) for name in COLUMNS),
                *(_number(paper.get(name)) for name in COLUMNS),
                _number(line.accuracy.share),
                _number(line.day_recall),
                line.answered,
                line.accuracy.ambiguous,
                line.failed,
            ]
        )
    return buffer.getvalue()


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"
