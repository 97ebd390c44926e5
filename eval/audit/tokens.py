"""Table 1's Token Length column and the savings that are derived from it."""

from __future__ import annotations

from eval.audit.finding import Arithmetic, Finding, Verdict
from eval.audit.source import AMEM, Published, number

MEMGPT_SYSTEM_PROMPT = 1_075
"""Tokens of MemGPT 0.3.25's system prompt alone (o200k_base), without function schemas."""


def _lengths(published: Published, method: str) -> dict[str, float]:
    return {str(row["backbone"]): number(row, "token_length") for row in published.table1 if row["method"] == method}


def check_tokens(published: Published) -> list[Finding]:
    return [_saving(published), _operation(published), _memgpt(published)]


def _saving(published: Published) -> Finding:
    baseline = published.claims["baseline_tokens"]
    low, high = published.claims["token_saving_low"], published.claims["token_saving_high"]
    savings = {backbone: 100 * (1 - own / baseline) for backbone, own in _lengths(published, AMEM).items()}
    holds = round(min(savings.values())) == low and round(max(savings.values())) == high
    rows = [
        (backbone, f"1 − {own:,.0f} / {baseline:,.0f}", f"{savings[backbone]:.1f}%")
        for backbone, own in _lengths(published, AMEM).items()
    ]
    return Finding(
        key="token-saving",
        place=published.sections["token_saving_low"],
        title=f"A reduction of tokens by {low:g} to {high:g}%",
        verdict=Verdict.HOLDS if holds else Verdict.CONTRADICTION,
        statement=f"The column gives reductions from {min(savings.values()):.1f}% to {max(savings.values()):.1f}%.",
        arithmetic=[Arithmetic(("backbone", "arithmetic", "reduction"), tuple(rows))],
        reading="Tokens of answering only: building the memory takes two calls a turn or more, which the full-context "
        "baseline does not make.",
    )


def _operation(published: Published) -> Finding:
    claimed, lengths = published.claims["tokens_per_operation"], _lengths(published, AMEM)
    far = {backbone: length for backbone, length in lengths.items() if length > 1.5 * claimed}
    largest, smallest = max(lengths, key=lengths.__getitem__), min(lengths, key=lengths.__getitem__)
    return Finding(
        key="tokens-per-operation",
        place=published.sections["tokens_per_operation"],
        title=f"About {claimed:,.0f} tokens an operation",
        verdict=Verdict.DOUBT if far else Verdict.HOLDS,
        statement=(
            f"Token Length of A-Mem runs from {lengths[smallest]:,.0f} ({smallest}) to {lengths[largest]:,.0f} "
            f"({largest}), which is {lengths[largest] / claimed:.1f} times the stated figure."
        ),
        arithmetic=[
            Arithmetic(
                ("backbone", "Token Length", "times the stated"),
                tuple((name, f"{length:,.0f}", f"{length / claimed:.2f}") for name, length in lengths.items()),
            )
        ],
        reading="The same k over the same notes can't take twice the tokens with one model of a family as with "
        "another; scores and token counts may come from different runs." if far else "",
    )  # fmt: skip


def _memgpt(published: Published) -> Finding:
    full, memgpt = _lengths(published, "LoCoMo"), _lengths(published, "MemGPT")
    surplus = {backbone: memgpt[backbone] - full[backbone] for backbone in memgpt}
    odd = all(0 < extra < MEMGPT_SYSTEM_PROMPT for extra in surplus.values())
    same = len(set(full.values())) == 1
    values = surplus.values()
    return Finding(
        key="memgpt-tokens",
        place="Table 1",
        title="MemGPT's Token Length is the whole conversation and a little more",
        verdict=Verdict.DOUBT if odd else Verdict.HOLDS,
        statement=(
            f"MemGPT exceeds the full-context baseline by {min(values):.0f} to {max(values):.0f} tokens. Its system "
            f"prompt alone has {MEMGPT_SYSTEM_PROMPT:,}, and its window exists so that the conversation need not fit."
            + (f" The baseline prints {next(iter(full.values())):,.0f} for all {len(full)} backbones." if same else "")
        ),
        arithmetic=[
            Arithmetic(
                ("backbone", "MemGPT", "LoCoMo", "difference"),
                tuple((b, f"{memgpt[b]:,.0f}", f"{full[b]:,.0f}", f"{surplus[b]:+.0f}") for b in memgpt),
            )
        ],
        reading="The row is compatible with the whole conversation plus a short text written by the model, not with "
        "MemGPT's paged memory." if odd else "",
    )  # fmt: skip
