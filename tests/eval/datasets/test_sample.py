"""The shipped sample keeps what its README and the profiles rely on."""

from collections import Counter
from itertools import pairwise

import pytest

from eval.datasets.categories import Category
from eval.datasets.evidence import SAMPLE_REPAIRS
from eval.datasets.locomo import load_locomo
from eval.datasets.provenance import SAMPLE_PATH
from eval.datasets.slicing import slice_dataset


@pytest.fixture(scope="module")
def sample():
    return load_locomo(SAMPLE_PATH)


def test_it_is_known_as_the_sample(sample):
    assert (sample.name, sample.is_sample, sample.comparable) == ("sample", True, False)
    assert sample.licence.startswith("CC0")


def test_the_readme_gives_its_counts(sample):
    readme = (SAMPLE_PATH.parent / "README.md").read_text(encoding="utf-8")
    parts = [slice_dataset(sample, conversations=[0]), slice_dataset(sample, conversations=[0], sessions=2)]
    for part in [*parts, slice_dataset(sample, conversations=[1])]:
        (only,) = part.conversations
        by_category = Counter(item.category for item in only.items)
        row = [len(only.sessions), sum(1 for _ in only.turns()), len(only.items), *(by_category[c] for c in Category)]
        assert " | ".join(map(str, row)) in readme


def test_its_first_two_sessions_hold_all_categories(sample):
    part = slice_dataset(sample, conversations=["sample-1"], sessions=2)
    assert part.description == "sample-1, sessions 1-2 of 5: 28 turns, 16 questions"
    assert {item.category for item in part.items()} == set(Category)


def test_every_listed_fault_of_it_occurs(sample):
    text = SAMPLE_PATH.read_text(encoding="utf-8")
    for _, raw in SAMPLE_REPAIRS:
        assert f'"{raw}"' in text
    dropped = [raw for item in sample.items() for raw in item.evidence_dropped]
    assert sorted(dropped) == ["D", "D4:20"]


def test_it_has_captions_with_and_without_an_address(sample):
    assert Counter(turn.has_image_url for turn in sample.turns() if turn.caption) == {True: 8, False: 7}


def test_it_has_text_that_breaks_careless_quoting(sample):
    text = " ".join(turn.text for turn in sample.turns())
    for piece in ("<b>Health & Body</b>", '"full of character"', "😂", "金継ぎ"):
        assert piece in text


def test_speakers_alternate(sample):
    for conversation in sample.conversations:
        for session in conversation.sessions:
            names = [turn.speaker for turn in session.turns]
            assert all(a != b for a, b in pairwise(names))
