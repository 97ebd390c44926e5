"""The estimate as a person reads it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eval.estimate.estimate import BackboneEstimate, Estimate

_HEAD = ("backbone", "method", "calls", "tokens in", "tokens out", "USD", "hours")


def report(estimate: Estimate) -> str:
    lines = [estimate.data_line, "", *_aligned(_HEAD, _rows(estimate)), "", *_notes(estimate)]
    return "\n".join(lines) + "\n"


def comparison(errors: Iterable[tuple[str, str, float, float, float]]) -> str:
    head = ("backbone", "method", "calls", "tokens in", "tokens out")
    rows = [(backbone, method, *(f"{share:+.1%}" for share in shares)) for backbone, method, *shares in errors]
    return "\n".join(["Error of the estimate against the run:", *_aligned(head, rows)]) + "\n"


def _rows(estimate: Estimate) -> list[tuple[str, ...]]:
    rows = []
    for backbone in estimate.backbones:
        for row in backbone.rows:
            hours = row.hours(backbone.side_by_side)
            figures = _figures(row.calls, row.prompt_tokens, row.completion_tokens, row.usd, hours)
            rows.append((row.backbone, row.method, *figures))
        if len(backbone.rows) > 1:
            rows.append((backbone.name, "all", *_figures(*_sums([backbone]), backbone.hours)))
    if len(estimate.backbones) > 1:
        rows.append(("all, servers side by side", "", *_figures(*_sums(estimate.backbones), estimate.hours)))
    return rows


def _sums(backbones: Sequence[BackboneEstimate]) -> tuple[float, float, float, float]:
    rows = [row for backbone in backbones for row in backbone.rows]
    names = ("calls", "prompt_tokens", "completion_tokens", "usd")
    calls, prompt, completion, usd = (sum(getattr(row, name) for row in rows) for name in names)
    return calls, prompt, completion, usd


def _figures(calls: float, prompt: float, completion: float, usd: float, hours: float) -> tuple[str, ...]:
    return f"{calls:,.0f}", f"{prompt:,.0f}", f"{completion:,.0f}", f"{usd:,.2f}", f"{hours:,.2f}"


def _notes(estimate: Estimate) -> list[str]:
    lines = [f"How: {estimate.how}."]
    for backbone in estimate.backbones:
        lengths = f"lengths and times of {backbone.measured_replies:,} recorded replies"
        if backbone.assumed_purposes:
            which = "all calls" if not backbone.measured_replies else ", ".join(backbone.assumed_purposes)
            lengths = f"reply lengths of {which}: {backbone.assumed_source} (eval/estimate/assumptions.yaml)"
        lines.append(
            f"{backbone.name}: {lengths}; time: {backbone.seconds_source}, {backbone.side_by_side} calls side by side; "
            f"prices: {backbone.prices_source or 'configured'}."
        )
        for row in (row for row in backbone.rows if row.unanswered >= 1):
            lines.append(f"  {row.method}: about {row.unanswered:,.0f} questions would fail, such as for the window.")
    lines += [
        f"Hours of all: {', '.join(backbone.name for backbone in shared)} share one server ({server}); theirs add up."
        for server, shared in estimate.by_server().items()
        if len(shared) > 1
    ]
    lines.append(
        "Not in it: retries, prompt caching (which makes input cheaper), the schema where a provider counts it, the "
        "time of embedding and search. Second questions after useless replies: as many as the records show."
    )
    return lines


def _aligned(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(cell) for cell in column) for column in zip(head, *rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if place < 2 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in (head, *rows)
    ]
