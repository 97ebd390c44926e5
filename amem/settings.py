"""A-Mem's parameters; each default is the paper's value, cited where it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class AMemSettings:
    """Parameters of A-Mem."""

    link_k: int = 10
    """Neighbours shown to the link and evolution calls: k of equation 5; section 4.2 gives k = 10."""
    retrieve_k: int = 10
    """Notes retrieved for a question: k of equation 10; section 4.2."""
    k_by_category: Mapping[str, int] = field(default_factory=dict)
    """Overrides `retrieve_k` for a question's category (section 4.2 adjusts k for some, on the test set)."""
    attributes: bool = True
    """False: no note construction call; the content alone is embedded."""
    link_generation: bool = True
    """Section 3.2; False is "w/o LG" of Table 3."""
    memory_evolution: bool = True
    """Section 3.3; False is "w/o ME" of Table 3."""
    linked_notes: int | None = None
    """Most linked notes added to a question's hits, over all hits; None: as many as hits. The paper gives no number;
    k hits and k linked notes make about the 2,520 tokens of its Table 1."""
