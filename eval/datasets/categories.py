"""LoCoMo's five question categories, in the column order of A-Mem's Table 1.

Which number means which category is settled by the counts of the data (282, 321, 96, 841, 446 for 1 to 5) against
Table 5 of the LoCoMo paper, and by snap-research/locomo@3eb6f2c task_eval/evaluation_stats.py. Several public
harnesses permute them.
"""

from __future__ import annotations

from enum import StrEnum


class Category(StrEnum):
    """A question category; members are in the order of the paper's columns."""

    MULTI_HOP = "multi_hop"
    TEMPORAL = "temporal"
    OPEN_DOMAIN = "open_domain"
    SINGLE_HOP = "single_hop"
    ADVERSARIAL = "adversarial"

    @property
    def locomo_id(self) -> int:
        """The number that LoCoMo's file uses."""
        return tuple(Category).index(self) + 1

    @property
    def label(self) -> str:
        """Column heading: "Multi Hop", "Temporal", …"""
        return self.value.replace("_", " ").title()

    @classmethod
    def from_locomo_id(cls, number: int) -> Category:
        """Raises ValueError for anything but the integers 1 to 5."""
        if type(number) is not int or not 1 <= number <= len(cls):
            raise ValueError(f"no LoCoMo category {number!r}; known are 1 to {len(cls)}")
        return tuple(cls)[number - 1]
