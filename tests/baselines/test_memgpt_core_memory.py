"""Core memory: edits by function, limits in characters."""

from __future__ import annotations

import pytest

from baselines._memgpt.core_memory import CoreMemory, FunctionError


def test_a_line_is_appended() -> None:
    core = CoreMemory({"human": "Ines"}, 20)
    core.append("human", "a potter")
    assert core.to_json() == {"persona": "", "human": "Ines\na potter"}


def test_an_edit_over_the_limit_leaves_the_block_as_it_was() -> None:
    core = CoreMemory({"human": "Ines"}, 10)
    with pytest.raises(FunctionError) as error:
        core.append("human", "a potter")
    assert (error.value.code, error.value.about) == ("block_full", "13/10")
    assert core.to_json()["human"] == "Ines"


def test_a_block_may_be_exactly_full() -> None:
    core = CoreMemory({}, 4)
    core.append("human", "Ines")
    assert core.to_json()["human"] == "Ines"


def test_a_replacement_over_the_limit_leaves_the_block_as_it_was() -> None:
    core = CoreMemory({"human": "Ines"}, 10)
    with pytest.raises(FunctionError, match="block_full"):
        core.replace("human", "Ines", "Ines the potter")
    assert core.to_json()["human"] == "Ines"


def test_words_are_replaced_or_deleted() -> None:
    core = CoreMemory({"human": "Ines is a baker"}, 100)
    core.replace("human", "baker", "potter")
    core.replace("human", " is", "")
    assert core.to_json()["human"] == "Ines a potter"


@pytest.mark.parametrize(("block", "code"), [("human", "old_content_missing"), ("world", "unknown_block")])
def test_what_is_not_there_can_not_be_replaced(block: str, code: str) -> None:
    with pytest.raises(FunctionError, match=code):
        CoreMemory({"human": "Ines"}, 100).replace(block, "Bruno", "Ada")
