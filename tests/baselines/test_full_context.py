"""LoCoMo's full context: everything, or what fits, in both orders of truncation."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from amem import tokens
from amem.contract import Recall, Session, Snapshot, Turn
from amem.errors import ConfigurationError
from baselines.locomo import FullContext, FullContextSettings
from tests.baselines.talk import ask, session, words
from tests.support import tools_for

TALK = (
    session(1, [words(20, "one"), words(20, "two"), words(20, "three")]),
    session(2, [words(20, "four"), words(20, "five"), words(20, "six")], days=3),
    session(3, [words(20, "seven"), words(20, "eight"), words(20, "nine")], days=9),
)


def memory(*sessions: Session, window: int = 8192, order: str = "chronological_keep_recent") -> FullContext:
    settings = FullContextSettings(context_order=order, answer_reserve_tokens=100)  # type: ignore[arg-type]
    method = FullContext(settings, tools_for(lambda request: "unused", window=window))
    for part in sessions:
        method.ingest(part)
    return method


def turn_ids(recall: Recall) -> list[str]:
    return [source.turn_id for source in recall.sources]


def dates(recall: Recall) -> list[str]:
    return re.findall(r"^Session (\d)", recall.text, re.MULTILINE)


def window_for(turns: int, order: str) -> int:
    """A window that has room for that many of the nine turns, and not for one more."""
    for window in range(150, 2000):
        if memory(*TALK, window=window, order=order).recall(ask()).trace["turns_kept"] >= turns:
            return window
    raise AssertionError("no window was large enough")


def test_a_conversation_that_fits_is_recalled_whole_and_in_order() -> None:
    recall = memory(*TALK).recall(ask())
    assert turn_ids(recall) == [f"D{s}:{t}" for s in (1, 2, 3) for t in (1, 2, 3)]
    assert dates(recall) == ["1", "2", "3"]
    assert "Ines" in recall.text.splitlines()[0] and "Bruno" in recall.text.splitlines()[0]
    assert recall.trace["turns_dropped"] == 0 and recall.trace["counts"] == {}
    assert recall.tokens == tokens.count(recall.text)


def test_the_other_order_shows_the_newest_session_first_even_where_all_fits() -> None:
    recall = memory(*TALK, order="lc_main").recall(ask())
    assert dates(recall) == ["3", "2", "1"]
    assert turn_ids(recall)[:3] == ["D3:1", "D3:2", "D3:3"]


def test_the_default_order_drops_the_oldest_turns() -> None:
    order = "chronological_keep_recent"
    recall = memory(*TALK, window=window_for(5, order), order=order).recall(ask())
    assert turn_ids(recall) == ["D2:2", "D2:3", "D3:1", "D3:2", "D3:3"]
    assert dates(recall) == ["2", "3"]


def test_the_default_order_prints_no_header_without_turns() -> None:
    order = "chronological_keep_recent"
    recall = memory(*TALK, window=window_for(6, order), order=order).recall(ask())
    assert dates(recall) == ["2", "3"]


def test_the_other_order_drops_the_newest_sessions_and_keeps_the_last_turns_of_the_one_at_the_cut() -> None:
    recall = memory(*TALK, window=window_for(5, "lc_main"), order="lc_main").recall(ask())
    assert dates(recall) == ["2", "1"]
    assert turn_ids(recall) == ["D2:2", "D2:3", "D1:1", "D1:2", "D1:3"]


def test_the_other_order_prints_the_header_of_the_session_at_the_cut_without_turns() -> None:
    recall = memory(*TALK, window=window_for(3, "lc_main"), order="lc_main").recall(ask())
    assert dates(recall) == ["2", "1"]
    assert turn_ids(recall) == ["D1:1", "D1:2", "D1:3"]


@pytest.mark.parametrize("order", ["chronological_keep_recent", "lc_main"])
@pytest.mark.parametrize("window", range(180, 700, 37))
def test_what_is_kept_fits_and_the_cut_is_recorded(order: str, window: int) -> None:
    method = memory(*TALK, window=window, order=order)
    recall = method.recall(ask())
    lm, trace = method.tools.lm, recall.trace
    assert lm.count_tokens(recall.text) + lm.count_tokens(ask().text) + 100 <= window
    assert trace["turns_kept"] == len(recall.sources) == 9 - trace["turns_dropped"]
    assert trace["tokens_kept"] == lm.count_tokens(recall.text)
    assert bool(trace["turns_dropped"]) == bool(trace["tokens_dropped"]) == bool(trace["counts"])
    assert not trace["turns_dropped"] or method._layout(len(recall.sources) + 1).size > trace["budget_tokens"]
    assert trace["sessions_kept"] + trace["sessions_dropped"] == 3


def test_an_empty_memory_recalls_nothing() -> None:
    recall = memory().recall(ask())
    assert (recall.text, recall.sources, recall.tokens) == ("", (), 0)


def test_a_longer_question_leaves_less_room() -> None:
    method = memory(*TALK, window=400)
    assert len(method.recall(ask(words(60))).sources) < len(method.recall(ask("Who?")).sources)


def test_one_turn_larger_than_the_window_leaves_the_sentence_about_the_speakers() -> None:
    recall = memory(session(1, [words(500)]), window=300).recall(ask())
    assert recall.sources == () and recall.trace["turns_dropped"] == 1
    assert "Ines" in recall.text


def test_a_session_without_turns_does_not_end_the_walk() -> None:
    recall = memory(TALK[0], session(2, []), TALK[2]).recall(ask())
    assert [source.turn_id[:2] for source in recall.sources] == ["D1"] * 3 + ["D3"] * 3


def test_captions_are_shown() -> None:
    turn = Turn("D1:1", "Ines", "Look!", caption="a blue kiln")
    assert "a blue kiln" in memory(replace(session(1, []), turns=(turn,))).recall(ask()).text


def test_parts_of_a_session_stand_under_one_header() -> None:
    recall = memory(session(1, ["a", "b"]), session(1, ["c"], part=1, first=3)).recall(ask())
    assert dates(recall) == ["1"] and turn_ids(recall) == ["D1:1", "D1:2", "D1:3"]


def test_a_session_that_comes_after_a_question_is_recalled_by_the_next_one() -> None:
    method = memory(TALK[0])
    before = method.recall(ask())
    method.ingest(TALK[1])
    assert len(method.recall(ask()).sources) == len(before.sources) + 3


def test_a_restored_memory_recalls_the_same_and_takes_in_the_same() -> None:
    method, twin = memory(*TALK[:2]), memory()
    snapshot = method.snapshot()
    twin.restore(Snapshot(json.loads(json.dumps(snapshot.state)), snapshot.arrays))
    for one in (method, twin):
        one.ingest(TALK[2])
    assert twin.recall(ask()) == method.recall(ask())
    assert twin.snapshot() == method.snapshot()


def test_a_long_text_is_counted_once_for_many_questions() -> None:
    method = memory(*TALK)
    counted: list[str] = []
    count = method.tools.lm._provider.count_tokens
    method.tools.lm._provider.count_tokens = lambda text: counted.append(text) or count(text)  # type: ignore[method-assign]
    for number in range(50):
        method.recall(ask(f"Question {number}?"))
    assert sum("Session 1" in text and "Session 3" in text for text in counted) == 1


def test_an_unknown_order_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="lc_main"):
        FullContextSettings(context_order="newest")  # type: ignore[arg-type]
