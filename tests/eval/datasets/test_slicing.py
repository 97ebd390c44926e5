"""Slices hold whole sessions and only questions that can be answered from them."""

import json
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amem.errors import ConfigurationError
from eval.datasets.categories import Category
from eval.datasets.locomo import load_locomo
from eval.datasets.provenance import SAMPLE_PATH
from eval.datasets.slicing import slice_dataset
from tests.eval.datasets.locomo_files import locomo_files


@pytest.fixture(scope="module")
def sample():
    return load_locomo(SAMPLE_PATH)


def test_everything_is_the_dataset_itself(sample):
    assert slice_dataset(sample) == sample


@pytest.mark.parametrize("key", ["sample-2", 1, "1"])
def test_a_conversation_is_named_by_id_or_position(sample, key):
    part = slice_dataset(sample, conversations=[key])
    assert [c.id for c in part.conversations] == ["sample-2"]
    assert part.description == "sample-2, all 3 sessions: 24 turns, 13 questions"


def test_conversations_keep_the_order_of_the_dataset(sample):
    assert slice_dataset(sample, conversations=["sample-2", "sample-1", 0]) == sample


def test_question_ids_do_not_change(sample):
    whole = {item.question.id: item for item in sample.items()}
    part = slice_dataset(sample, conversations=[0], sessions=3)
    assert all(whole[item.question.id] == item for item in part.items())
    assert [item.question.id for item in part.items()][-1] == "sample-1/q35"


def test_a_cut_conversation_counts_what_it_leaves_out(sample):
    part = slice_dataset(sample, conversations=[0], sessions=2)
    assert part.left_out == {"questions without evidence": 1, "questions with evidence outside the sessions": 19}


def test_more_sessions_than_there_are_keep_all_questions(sample):
    part = slice_dataset(sample, sessions=4)
    assert [len(c.sessions) for c in part.conversations] == [4, 3]
    assert part.description.startswith("2 conversations, the first 7 of 8 sessions: 79 turns, ")
    assert len(part.find("sample-2").items) == 13


def test_a_conversation_without_a_question_left_is_left_out(sample):
    part = slice_dataset(sample, categories=["adversarial"], sessions=1)
    assert [c.id for c in part.conversations] == ["sample-1"]
    assert part.left_out["conversations without a question"] == 1


def test_the_first_questions_of_each_conversation_and_category_are_taken(sample):
    part = slice_dataset(sample, questions_per_category=1)
    assert [item.question.id for item in part.items()] == [
        *("sample-1/q0", "sample-1/q1", "sample-1/q2", "sample-1/q3", "sample-1/q29"),
        *("sample-2/q0", "sample-2/q1", "sample-2/q2", "sample-2/q5", "sample-2/q10"),
    ]
    assert part.description.endswith("10 questions; at most 1 of a conversation and category, the first ones")


def test_only_some_categories(sample):
    part = slice_dataset(sample, categories=["adversarial", Category.TEMPORAL])
    assert {item.category for item in part.items()} == {Category.TEMPORAL, Category.ADVERSARIAL}
    assert part.description.endswith("; only Temporal, Adversarial")


def test_a_seeded_choice_repeats_and_does_not_depend_on_the_slice(sample):
    def drawn(seed, **kwargs):
        part = slice_dataset(sample, questions_per_category=2, seed=seed, **kwargs)
        return [item.question.id for item in part.items() if item.question.id.startswith("sample-1")]

    assert drawn(7) == drawn(7, conversations=[0])
    assert drawn(7) != drawn(8)


def test_slices_of_slices_say_what_both_did(sample):
    once = slice_dataset(sample, conversations=[0], sessions=3)
    twice = slice_dataset(once, sessions=2, categories=["temporal"])
    assert twice.description == "sample-1, sessions 1-2 of 5: 28 turns, 3 questions; only Temporal"


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ({"sessions": 0}, "sessions must be a whole number of at least 1"),
        ({"sessions": True}, "sessions must be"),
        ({"questions_per_category": -1}, "questions_per_category must be"),
        ({"conversations": ["conv-26"]}, "no conversation 'conv-26'.*sample-1, sample-2"),
        ({"conversations": [2]}, "no conversation 2"),
        ({"conversations": [True]}, "no conversation True"),
        ({"conversations": "sample-1"}, "must be a list"),
        ({"conversations": []}, "must be a list"),
        ({"categories": ["multihop"]}, "no category 'multihop'; known are multi_hop, temporal"),
        ({"categories": []}, "must be a list"),
        ({"categories": ["multi_hop"], "sessions": 1, "conversations": [1]}, "holds no question"),
    ],
)
def test_an_impossible_slice_is_refused(sample, asked, problem):
    with pytest.raises(ConfigurationError, match=problem):
        slice_dataset(sample, **asked)


@given(
    content=locomo_files(),
    sessions=st.integers(1, 5),
    each=st.none() | st.integers(1, 3),
    seed=st.none() | st.integers(),
)
def test_no_slice_asks_for_what_lies_outside_it(tmp_path_factory, content, sessions, each, seed):
    file = tmp_path_factory.mktemp("slices") / "file.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    whole = load_locomo(file)
    try:
        part = slice_dataset(whole, sessions=sessions, questions_per_category=each, seed=seed)
    except ConfigurationError:
        part = None
    answerable = {item.question.id for c in whole.conversations for item in c.items if _answerable(c, item, sessions)}
    kept = {item.question.id for item in part.items()} if part else set()
    assert kept == answerable if each is None else kept <= answerable
    for conversation, category in product(part.conversations if part else (), Category):
        count = sum(item.category is category for item in conversation.items)
        assert each is None or count <= each


def _answerable(conversation, item, sessions) -> bool:
    if len(conversation.sessions) <= sessions:
        return True
    inside = {turn.id for session in conversation.sessions[:sessions] for turn in session.turns}
    return bool(item.evidence) and set(item.evidence) <= inside
