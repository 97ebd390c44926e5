"""Which attributes of a note are embedded: equation 3 has all, the released code leaves out the content."""

from __future__ import annotations

from pathlib import Path

import pytest

from amem.prompting.pack import PromptPack
from tests.support import DEFAULT_PACK

NOTE = {"content": "said", "keywords": ("key", "word"), "tags": ("tag",), "context": "meant"}
WHOLE = {"said", "key", "word", "tag", "meant"}


@pytest.mark.parametrize("pack", [DEFAULT_PACK, DEFAULT_PACK.parent / "small"], ids=["default", "small"])
@pytest.mark.parametrize(
    ("part", "embedded"),
    [
        ("note_embedding", WHOLE),
        ("note_embedding_context_keywords", {"meant", "key", "word"}),
        ("note_embedding_labelled", WHOLE),
        ("note_embedding_refreshed", WHOLE),
    ],
)
def test_a_part_embeds_what_its_source_does(pack: Path, part: str, embedded: set[str]) -> None:
    words = PromptPack(pack).render(part, **NOTE).replace(",", " ").split()
    assert WHOLE & set(words) == embedded


@pytest.mark.parametrize("pack", [DEFAULT_PACK, DEFAULT_PACK.parent / "small"], ids=["default", "small"])
@pytest.mark.parametrize("part", ["note", "linked_note"])
def test_a_recalled_note_shows_its_time_and_every_attribute(pack: Path, part: str) -> None:
    text = PromptPack(pack).render(part, note={**NOTE, "time": "8 May, 1987"})
    assert all(word in text for word in ("8 May, 1987", *WHOLE))
