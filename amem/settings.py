"""A-Mem's parameters. Each default is the paper's; where the released code differs, its value is named beside it.

"Released" is WujiangXu's code at commit 7f716dc (memory_layer.py unless another file is named), "head" the same
repository at 0c8039f.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Attribute = Literal["context", "keywords", "tags"]
LinkKind = Literal["ids", "positions"]
LinkCap = Literal["shared", "shared_released", "per_hit", "off"]
LinkDirection = Literal["both", "out"]


@dataclass(frozen=True)
class AMemSettings:
    """Parameters of A-Mem."""

    attributes: bool = True
    """Section 3.1. False: no note construction call; the content alone is embedded."""
    note_time: bool = True
    """Equation 2 gives the construction call the note's time. Released: False (lines 163-190)."""
    empty_context: str = ""
    """What stands in for a context that the model left empty. Released: "General"."""
    construct_ahead: bool = True
    """Construct a session's notes side by side before the first is taken in. False: one note after the other, as the
    released code does; the requests are the same, in another order."""

    index_text: str = "note_embedding"
    """The part of the prompt pack that renders what is embedded of a note when it is taken in: equation 3.
    Released: context and keywords (line 553); head: all four, labelled."""
    refresh: Literal["at_once", "every", "never"] = "at_once"
    """When the vector of a note that evolved is renewed; section 3.3 replaces the note, its vector included.
    Released: `every` (lines 554-557)."""
    refresh_every: int = 100
    """For `every`: all vectors are renewed after so many notes that changed something. Released: 100 (line 543)."""
    refresh_text: str = "note_embedding_refreshed"
    """For `every`: the part that renders what is embedded then. Released: lines 580-582."""

    neighbour_query: Literal["note", "content"] = "note"
    """What the nearest notes are searched with: equation 4 has the note's own vector. Released: its raw content
    (line 586)."""
    link_k: int = 10
    """Neighbours shown to the link and evolution calls: k of equation 5; section 4.2 gives k = 10. Released: 5
    (line 586)."""
    evolution_call: Literal["separate", "joint"] = "separate"
    """Equations 6 and 7 are a link call, and an evolution call for each neighbour. Released: one joint call, made for
    the first note too (lines 587-637)."""
    link_generation: bool = True
    """Section 3.2; False is "w/o LG" of Table 3."""
    memory_evolution: bool = True
    """Section 3.3; False is "w/o ME" of Table 3."""
    evolving: tuple[Attribute, ...] = ("context", "keywords", "tags")
    """The attributes that evolution may change: section 3.3. Released: context and tags (lines 670-671)."""
    strengthen_tags: bool = False
    """Whether linking rewrites the new note's tags; not in the paper. Released: True (line 652)."""
    links_as: LinkKind = "ids"
    """How the model names the notes to link. Released: `positions` in the list of all notes, unchecked."""

    retrieve_k: int = 10
    """Notes retrieved for a question: k of equation 10; section 4.2."""
    k_by_category: Mapping[str, int] = field(default_factory=dict)
    """Overrides `retrieve_k` for a question's category (section 4.2 adjusts k for some, on the test set)."""
    query: Literal["question", "keywords"] = "question"
    """What is embedded to search for: equation 8 has the question. Released: keywords that the model makes of it
    (test_advanced.py, lines 121-126)."""
    link_direction: LinkDirection = "both"
    """Which links lead from a retrieved note: section 3.4 has boxes, which know no direction. Released: `out`."""
    link_cap: LinkCap = "shared"
    """How `linked_notes` limits the linked notes of a question. `shared`: at most so many, over all hits.
    `shared_released`: one counter over all hits, tested after a note is shown: one more than the limit, and from then
    on one for each further hit that has links (lines 705-713). `per_hit`: the same with a counter a hit (head).
    `off`: linked notes are not shown. The paper gives no limit."""
    linked_notes: int | None = None
    """The limit; None: the question's k, which makes about the 2,520 tokens of the paper's Table 1. Released and head:
    k."""
    linked_once: bool = True
    """Whether a note is shown once only. Released: False."""


RECALL_SETTINGS = frozenset(
    {"retrieve_k", "k_by_category", "query", "link_direction", "link_cap", "linked_notes", "linked_once"}
)
"""Those that act on a question alone; the memory is the same whatever they are."""
