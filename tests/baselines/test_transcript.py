"""Sessions kept as they were said."""

from __future__ import annotations

import json
from dataclasses import replace

from amem.contract import Observation, Turn
from baselines._transcript import Transcript
from tests.baselines.talk import session


def test_parts_of_a_session_are_joined() -> None:
    transcript = Transcript().with_session(session(1, ["a", "b"])).with_session(session(1, ["c"], part=1, first=3))
    assert [turn.text for turn in transcript.sessions[0].turns] == ["a", "b", "c"]
    assert len(transcript.sessions) == 1


def test_sessions_stay_apart_and_in_order() -> None:
    transcript = Transcript().with_session(session(1, ["a"])).with_session(session(2, ["b"]))
    assert [s.number for s in transcript.sessions] == [1, 2]


def test_speakers_come_in_order_of_their_first_turn() -> None:
    assert Transcript().with_session(session(1, ["a", "b", "c"], first=2)).speakers == ["Bruno", "Ines"]


def test_json_and_back_gives_the_same_sessions() -> None:
    turn = Turn("D1:1", "Ines", 'Odd "text" \u2028 ü', caption="a kiln", has_image_url=True)
    full = replace(session(1, []), turns=(turn,), observations=(Observation("Ines", "owns a kiln", ("D1:1",)),))
    transcript = Transcript().with_session(full)
    assert Transcript.from_json(json.loads(json.dumps(transcript.to_json()))).sessions == transcript.sessions
