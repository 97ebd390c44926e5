"""The parts of a report, without a browser."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from amem.lm.records import RecordStore
from amem.network import NoteNetwork
from amem.note import Attributes, Note
from eval.figures.against_f1 import pareto
from eval.report.layout import HEIGHT, WIDTH, places
from eval.report.ledger import spent_by_purpose
from eval.report.lines import Lines
from eval.report.page import packed
from eval.report.plain import plain_top
from eval.report.turns import turn_texts

CALL = {"purpose": "answer", "prompt_tokens": 10, "completion_tokens": 2, "seconds": 0.5, "usd": 0.1, "failure": None}


@given(st.text())
def test_packed_data_comes_back_as_it_was_and_cannot_end_its_element(text):
    found = packed({"text": text})
    assert json.loads(gzip.decompress(base64.b64decode(found))) == {"text": text}
    assert not set("<>&\u2028\u2029") & set(found)


@given(st.lists(st.text(alphabet="ab\n"), max_size=6))
def test_lines_give_every_text_back_and_keep_each_line_once(texts):
    lines = Lines()
    placed = [lines.places(text) for text in texts]
    runs = [[place if isinstance(place, list) else [place, 1] for place in one] for one in placed]
    shown = [[line for start, count in one for line in lines.table[start : start + count]] for one in runs]
    assert ["\n".join(one) for one in shown] == texts
    assert len(set(lines.table)) == len(lines.table)


def test_lines_in_a_row_are_one_place():
    lines = Lines()
    assert lines.places("a\nb\nc") == [[0, 3]]
    assert lines.places("b\nc\na\nd") == [[1, 2], 0, 3]


def test_a_purpose_whose_price_is_unknown_once_has_no_sum():
    spent = spent_by_purpose([("b", "m", CALL), ("b", "m", {**CALL, "usd": None, "failure": "server"})])[
        "b", "m", "answer"
    ]
    assert (spent.calls, spent.failed, spent.prompt_tokens, spent.seconds, spent.usd) == (2, 1, 20, 1.0, None)


def network_of(count: int, links: list[tuple[int, int]]) -> NoteNetwork:
    network = NoteNetwork()
    for i in range(count):
        network.add(Note(f"n{i + 1}", f"D1:{i}", "s1", "Ann", "words", "now", Attributes()), call=None)
    for a, b in links:
        network.link(f"n{a}", f"n{b}", cause_id=f"n{a}", call=None)
    return network


@given(st.integers(1, 60))
def test_notes_stand_apart_and_within_the_picture(count):
    network = network_of(count, [(i, i - 1) for i in range(2, count // 2 + 1)])
    found = places(network)
    assert set(found) == {note.id for note in network}
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in found.values())
    assert found == places(network)
    single = [found[note.id] for note in network if not note.links and not network.linked_from(note.id)]
    assert len(set(single)) == len(single)


def test_plain_retrieval_ranks_by_cosine_and_ties_go_to_the_older_note():
    store = RecordStore(":memory:")
    question = "who?"
    assert plain_top(question, 2, ["n1"], np.eye(1, 2, dtype=np.float32), store, "e") is None
    store.put_vector("e", hashlib.sha256(question.encode()).hexdigest(), np.array([1, 0], np.float32))
    vectors = np.array([[0, 1], [1, 0], [1, 0]], np.float32)
    found = plain_top(question, 2, ["n1", "n2", "n3"], vectors, store, "e")
    assert [entry["note"] for entry in found] == ["n2", "n3"]


def test_what_turns_said_is_read_from_any_kind_of_memory():
    documents = [{"turn_ids": ["D1:1"], "pieces": ["one"]}, {"turn_ids": ["a", "b"], "pieces": ["a summary"]}]
    assert turn_texts({"documents": documents}) == {"D1:1": "one"}
    assert turn_texts({"documents": [{"turn_ids": ["a", "b"], "pieces": ["x", "y"]}]}) == {"a": "x", "b": "y"}
    sessions = [{"turns": [{"id": "D1:2", "speaker": "Ann", "text": "hello"}]}]
    assert turn_texts({"sessions": sessions}) == {"D1:2": "Ann: hello"}


def test_the_pareto_front_holds_what_nothing_matches_in_both():
    assert sorted(pareto([(1, 5), (2, 5), (3, 9), (4, 8)])) == [(1, 5), (3, 9)]
