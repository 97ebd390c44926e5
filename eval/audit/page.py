"""The audit as a page: Markdown, and HTML that needs nothing from the network."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from eval.audit.finding import Arithmetic, Finding, Verdict
from eval.tables.html import document

TITLE = "The published tables of A-Mem, recomputed"
INTRODUCTION = (
    "The tables of A-Mem: Agentic Memory for LLM Agents (Xu et al., NeurIPS 2025, arXiv 2502.12110), held against "
    "their own arithmetic and against the sentences about them. Nothing here needs a model or a run: every number "
    "below is computed from the printed ones, which are in results/paper as CSV. What may explain a finding is marked "
    "as a reading: it is an inference and not part of the finding."
)
_MEANING = {
    Verdict.CONTRADICTION: "the published numbers contradict each other, the text, or what hardware can do",
    Verdict.DOUBT: "not impossible, but not to be relied on unexplained",
    Verdict.HOLDS: "recomputed and found as printed",
}


def markdown(findings: Sequence[Finding]) -> str:
    lines = [f"# {TITLE}", "", INTRODUCTION, "", *(f"- {line}" for line in _counts(findings)), ""]
    lines += ["| | finding | where | verdict |", "|---:|---|---|---|"]
    lines += [
        f"| {number} | [{finding.title}](#{finding.key}) | {finding.place} | {finding.verdict} |"
        for number, finding in enumerate(findings, start=1)
    ]
    for number, finding in enumerate(findings, start=1):
        lines += ["", f'<a id="{finding.key}"></a>', "", f"## {number}. {finding.title}", ""]
        lines += [f"*{finding.place}: {finding.verdict}.* {finding.statement}"]
        lines += [line for table in finding.arithmetic for line in ["", *_markdown_table(table)]]
        lines += ["", f"Reading: {finding.reading}"] if finding.reading else []
    return "\n".join(lines) + "\n"


def html(findings: Sequence[Finding]) -> str:
    parts = [f"<h1>{escape(TITLE)}</h1>", f"<p>{escape(INTRODUCTION)}</p>", "<ul>"]
    parts += [f"<li>{escape(line)}</li>" for line in _counts(findings)]
    parts += ["</ul>", "<nav><ol>"]
    parts += [
        f'<li><a href="#{finding.key}">{escape(finding.title)}</a> ({escape(finding.place)}): {finding.verdict}</li>'
        for finding in findings
    ]
    parts += ["</ol></nav>", *(_html_finding(number, finding) for number, finding in enumerate(findings, start=1))]
    return document(TITLE, "\n".join(parts) + "\n")


def _counts(findings: Sequence[Finding]) -> list[str]:
    counts = {verdict: sum(finding.verdict is verdict for finding in findings) for verdict in Verdict}
    return [f"{counts[verdict]} × {verdict}: {_MEANING[verdict]}" for verdict in Verdict]


def _markdown_table(table: Arithmetic) -> list[str]:
    rows = [table.headings, ("---",) * len(table.headings), *table.rows]
    return [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]


def _html_finding(number: int, finding: Finding) -> str:
    parts = [
        f'<section id="{finding.key}">',
        f"<h2>{number}. {escape(finding.title)}</h2>",
        f"<p><em>{escape(finding.place)}: {finding.verdict}.</em> {escape(finding.statement)}</p>",
        *(_html_table(table) for table in finding.arithmetic),
    ]
    if finding.reading:
        parts.append(f'<p class="notes">Reading: {escape(finding.reading)}</p>')
    return "\n".join([*parts, "</section>"])


def _html_table(table: Arithmetic) -> str:
    head = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in table.headings)
    body = "\n".join(
        f'<tr><th scope="row">{escape(row[0])}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in row[1:])}</tr>'
        for row in table.rows
    )
    return f"<figure><table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table></figure>"
