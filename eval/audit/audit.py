"""All checks, in the order of the paper."""

from __future__ import annotations

from eval.audit.ablation import check_ablation
from eval.audit.cells import check_cells
from eval.audit.finding import Finding
from eval.audit.ranks import check_ranks
from eval.audit.rows import check_rows
from eval.audit.scaling import check_scaling
from eval.audit.source import Published
from eval.audit.text_claims import check_text
from eval.audit.tokens import check_tokens
from eval.audit.weights import check_weights

_CHECKS = (
    check_ranks, check_rows, check_cells, check_weights, check_text, check_tokens, check_ablation, check_scaling,
)  # fmt: skip


def audit(published: Published) -> list[Finding]:
    """Every check's findings, those that hold too; each number in them is computed from `published`."""
    return [finding for check in _CHECKS for finding in check(published)]
