"""The loader on the published file."""

from collections import Counter
from datetime import datetime

import pytest

from eval.datasets.categories import Category
from eval.datasets.evidence import REPAIRS
from eval.datasets.locomo import load_locomo
from eval.datasets.slicing import slice_dataset


@pytest.fixture(scope="module")
def locomo(locomo_file):
    return load_locomo(locomo_file)


def test_counts_of_the_published_file(locomo):
    assert locomo.description == "10 conversations, 272 sessions: 5,882 turns, 1,986 questions"
    assert Counter(item.category for item in locomo.items()) == {
        "multi_hop": 282,
        "temporal": 321,
        "open_domain": 96,
        "single_hop": 841,
        "adversarial": 446,
    }


def test_it_is_known_as_published(locomo):
    assert (locomo.name, locomo.is_sample, locomo.comparable) == ("locomo", False, True)
    assert locomo.licence.startswith("CC BY-NC 4.0")


def test_dates_without_a_session_are_no_sessions(locomo):
    first = locomo.find("conv-26")
    assert [s.number for s in first.sessions] == list(range(1, 20))
    assert first.sessions[0].when == datetime(2023, 5, 8, 13, 56)


def test_captions_stand_with_and_without_an_address(locomo):
    captions = Counter(turn.has_image_url for turn in locomo.turns() if turn.caption)
    assert captions == {True: 910, False: 316}


def test_whole_number_answers_are_text(locomo):
    references = {item.question.id: item.reference for item in locomo.items()}
    assert references["conv-26/q1"] == "2022"
    assert all(isinstance(r, str) for r in references.values() if r is not None)


def test_adversarial_questions_have_a_trap_and_two_have_an_answer_too(locomo):
    adversarial = [item for item in locomo.items() if item.category == "adversarial"]
    assert all(item.trap for item in adversarial)
    answered = {item.question.id: (item.reference, item.trap) for item in adversarial if item.reference is not None}
    assert answered == {"conv-26/q167": ("No", "Yes"), "conv-26/q178": ("No", "Yes")}


def test_every_evidence_id_names_a_turn_of_its_conversation(locomo):
    for conversation in locomo.conversations:
        turns = {turn.id for turn in conversation.turns()}
        assert all(turns.issuperset(item.evidence) for item in conversation.items)


def test_the_malformed_evidence_is_repaired_or_dropped_as_listed(locomo):
    items = {item.question.id: item for item in locomo.items()}
    assert items["conv-26/q37"].evidence == ("D8:6", "D9:17")
    assert "D11:26" in items["conv-43/q18"].evidence
    assert items["conv-50/q69"].evidence == ("D30:5",)
    dropped = {i: item.evidence_dropped for i, item in items.items() if item.evidence_dropped}
    assert dropped == {"conv-42/q58": ("D10:19",), "conv-42/q88": ("D",), "conv-47/q38": ("D4:36",)}
    assert len(REPAIRS) == 9


def test_four_questions_have_no_evidence(locomo):
    bare = [item.question.id for item in locomo.items() if not item.evidence]
    assert bare == ["conv-26/q30", "conv-26/q46", "conv-50/q39", "conv-50/q42"]


def test_observations_and_summaries_stand_with_their_sessions(locomo):
    sessions = [session for c in locomo.conversations for session in c.sessions]
    assert sum(len(session.observations) for session in sessions) == 2541
    assert all(session.summary for session in sessions)


def test_the_first_two_sessions_of_conv_26_hold_all_categories(locomo):
    part = slice_dataset(locomo, conversations=["conv-26"], sessions=2)
    assert part.description == "conv-26, sessions 1-2 of 19: 35 turns, 20 questions"
    assert {item.category for item in part.items()} == set(Category)
    assert part.left_out == {"questions without evidence": 2, "questions with evidence outside the sessions": 177}
