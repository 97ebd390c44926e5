"""The sample that ships: enough of everything, and questions that its script answers."""

from __future__ import annotations

import re

import pytest

from amem.contract import Session
from eval.dialsim.draw import Unasked
from eval.dialsim.kinds import Kind
from eval.dialsim.locate import load_sample
from eval.dialsim.names import NameMode
from eval.dialsim.plan import Plan
from eval.dialsim.replay import replay
from eval.dialsim.script import utterances


@pytest.fixture(scope="module")
def plans() -> list[Plan]:
    return [replay(load_sample(), seed=seed) for seed in range(300)]


def test_it_has_episodes_sessions_speakers_and_every_kind() -> None:
    sessions = list(load_sample().sessions())
    speakers = {utterance.speaker for session in sessions for utterance in utterances(session)}

    assert len({session.episode for session in sessions}) == 3
    assert len(sessions) == 14
    assert len(speakers) > 5
    assert {kind for session in sessions for kind in session.questions} == set(Kind)


def test_every_kind_is_asked_in_some_pass(plans: list[Plan]) -> None:
    assert {ask.kind for plan in plans for ask in plan.asks()} == set(Kind)


def test_a_pass_asks_ten_questions(plans: list[Plan]) -> None:
    for plan in plans:
        assert len(list(plan.asks())) == 10
        assert plan.unasked == {Unasked.AGENT_SILENT: 3, Unasked.NO_ASKER: 1}


def test_the_evidence_holds_a_word_of_the_answer(plans: list[Plan]) -> None:
    for plan in plans:
        heard: dict[str, str] = {}
        for step in plan.steps:
            if isinstance(step, Session):
                heard |= {turn.id: f"{turn.speaker}: {turn.text}".lower() for turn in step.turns}
            elif step.answerable:
                evidence = " ".join(heard[turn] for turn in step.evidence)
                assert set(re.findall(r"\w{3,}", step.answer.lower())) & set(re.findall(r"\w+", evidence))


def test_every_answerable_question_has_evidence(plans: list[Plan]) -> None:
    assert all(bool(ask.evidence) is ask.answerable for plan in plans for ask in plan.asks())


@pytest.mark.parametrize("mode", [NameMode.SHUFFLE, NameMode.NEW_NAME])
def test_it_can_be_renamed(mode: NameMode) -> None:
    assert replay(load_sample(), seed=0, names=mode).agent in {"Tobias", "Helen"}
