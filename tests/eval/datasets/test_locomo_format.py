"""What the loader takes, and how it refuses the rest: every message names file, sample, field and the way out."""

import copy
import json
import re
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amem.errors import DataError
from eval.datasets.locomo import load_locomo
from tests.eval.datasets.locomo_files import locomo_files

MINIMAL = {
    "sample_id": "s-1",
    "conversation": {
        "speaker_a": "Oda",
        "speaker_b": "Piet",
        "session_1_date_time": "12:09 am on 13 May, 2023",
        "session_1": [
            {"speaker": "Oda", "dia_id": "D1:1", "text": "Hello"},
            {"speaker": "Piet", "dia_id": "D1:2", "text": " Look \n", "blip_caption": "a hat", "img_url": ["x"]},
        ],
        "session_2_date_time": "1:00 pm on 14 May, 2023",
    },
    "observation": {"session_1_observation": {"Oda": [["Oda says hello.", "D1:1"]]}},
    "session_summary": {"session_1_summary": "They greet."},
    "qa": [{"question": "Who greets?", "answer": "Oda", "evidence": ["D1:1", "D1:1"], "category": 4}],
}


@pytest.fixture
def write(tmp_path):
    def write(content) -> str:
        path = tmp_path / "file.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return str(path)

    return write


def changed(path: str, value) -> list[dict]:
    """MINIMAL with the field at a dotted path replaced, or removed where `value` is `...`."""
    sample = copy.deepcopy(MINIMAL)
    *parents, last = [int(part) if part.isdecimal() else part for part in path.split(".")]
    target = sample
    for parent in parents:
        target = target[parent]
    if value is ...:
        del target[last]
    else:
        target[last] = value
    return [sample]


def test_a_minimal_file_becomes_objects(write):
    (conversation,) = load_locomo(write([MINIMAL])).conversations
    (session,) = conversation.sessions
    assert (session.id, session.number, session.when) == ("session_1", 1, datetime(2023, 5, 13, 0, 9))
    assert session.date_text == "12:09 am on 13 May, 2023"
    assert [(t.id, t.text, t.caption, t.has_image_url) for t in session.turns] == [
        ("D1:1", "Hello", None, False),
        ("D1:2", " Look \n", "a hat", True),
    ]
    assert (session.summary, session.observations[0].turn_ids) == ("They greet.", ("D1:1",))
    (item,) = conversation.items
    assert (item.question.id, item.question.category, item.evidence) == ("s-1/q0", "single_hop", ("D1:1",))


def test_a_file_of_ones_own_is_named_by_its_hash_and_not_comparable(write):
    dataset = load_locomo(write([MINIMAL]))
    assert (dataset.is_sample, dataset.comparable) == (False, False)
    assert dataset.name == f"other-{dataset.sha256[:12]}"


def test_sessions_stand_in_the_order_of_their_numbers(write):
    (sample,) = changed("qa", [])
    talk = sample["conversation"]
    for number in (10, 9):
        talk[f"session_{number}"] = [{"speaker": "Oda", "dia_id": f"D{number}:1", "text": "Hi"}]
        talk[f"session_{number}_date_time"] = "1:00 pm on 14 May, 2023"
    (conversation,) = load_locomo(write([sample])).conversations
    assert [s.number for s in conversation.sessions] == [1, 9, 10]


def test_observations_and_summaries_may_be_missing(write):
    sample = {key: value for key, value in MINIMAL.items() if key not in ("observation", "session_summary")}
    (conversation,) = load_locomo(write([sample])).conversations
    assert (conversation.sessions[0].observations, conversation.sessions[0].summary) == ((), None)


@pytest.mark.parametrize("written", ["D1:1, D1:2", ["D1:1", "D1:2"]])
def test_an_observation_may_name_several_turns(write, written):
    (conversation,) = load_locomo(write(changed("observation.session_1_observation.Oda.0.1", written))).conversations
    assert conversation.sessions[0].observations[0].turn_ids == ("D1:1", "D1:2")


T = "conversation.session_1.1"
FAULTS = [
    # path, new value, the field that the message names, what it says
    ("sample_id", ..., "sample_id", "missing"),
    ("sample_id", 7, "sample_id", "expected text, found 7"),
    ("sample_id", "../evil", "sample_id", "can't name a file"),
    ("conversation", ..., "conversation", "missing"),
    ("conversation", [], "conversation", "expected an object, found a list of 0"),
    ("conversation.speaker_a", ..., "conversation.speaker_a", "missing"),
    ("conversation.speaker_b", "Oda", "conversation.speaker_b", "both speakers"),
    ("conversation.session_1", ..., "conversation", "no session_N list"),
    ("conversation.session_1", {}, "conversation.session_1", "expected a list, found an object of 0"),
    ("conversation.session_1", [], "conversation.session_1", "no turns"),
    ("conversation.session_1_date_time", ..., "conversation.session_1_date_time", "missing"),
    ("conversation.session_1_date_time", "13 May 2023", "conversation.session_1_date_time", "is no date"),
    ("conversation.session_1_date_time", "1:00 pm on 31 June, 2023", "conversation.session_1_date_time", "is no date"),
    (T, "text", "conversation.session_1[1]", "expected an object"),
    (f"{T}.dia_id", ..., "conversation.session_1[1].dia_id", "missing"),
    (f"{T}.dia_id", "D1:1", "conversation", 'dia_id "D1:1" is used twice'),
    (f"{T}.speaker", "Quinn", "conversation.session_1[1].speaker", 'unknown speaker "Quinn"'),
    (f"{T}.text", ..., "conversation.session_1[1].text", "missing"),
    (f"{T}.text", " \n", "conversation.session_1[1].text", "empty"),
    (f"{T}.text", None, "conversation.session_1[1].text", "expected text, found null"),
    (f"{T}.text", "\ud800", "conversation.session_1[1].text", "surrogate"),
    (f"{T}.blip_caption", "", "conversation.session_1[1].blip_caption", "empty"),
    (f"{T}.img_url", "x", "conversation.session_1[1].img_url", "expected a list"),
    ("observation.session_1_observation.Oda.0", ["alone"], "session_1_observation.Oda[0]", "pair"),
    ("observation.session_1_observation.Oda.0.1", "D9:9", "session_1_observation.Oda[0][1]", "names no turn"),
    ("observation.session_1_observation.Quinn", [], "session_1_observation", 'unknown speaker "Quinn"'),
    ("session_summary.session_1_summary", 5, "session_summary.session_1_summary", "expected text"),
    ("qa", ..., "qa", "missing"),
    ("qa.0.question", "", "qa[0].question", "empty"),
    ("qa.0.answer", ..., "qa[0].answer", "missing"),
    ("qa.0.answer", True, "qa[0].answer", "expected text, found true"),
    ("qa.0.answer", 1.5, "qa[0].answer", "expected text, found 1.5"),
    ("qa.0.evidence", ..., "qa[0].evidence", "missing"),
    ("qa.0.evidence", "D1:1", "qa[0].evidence", "expected a list"),
    ("qa.0.evidence", [["D1:1"]], "qa[0].evidence[0]", "expected text"),
    ("qa.0.evidence", ["D1:1", "D1:01"], "qa[0].evidence[1]", 'evidence "D1:01" names no turn'),
    ("qa.0.category", ..., "qa[0].category", "missing"),
    ("qa.0.category", 6, "qa[0].category", "unknown category 6"),
    ("qa.0.category", True, "qa[0].category", "expected a whole number, found true"),
    ("qa.0.category", "4", "qa[0].category", "expected a whole number"),
    ("qa.0.category", 5, "qa[0].adversarial_answer", "missing"),
]


@pytest.mark.parametrize(("path", "value", "field", "problem"), FAULTS)
def test_a_fault_is_named_with_file_sample_field_and_way_out(write, path, value, field, problem):
    file = write(changed(path, value))
    with pytest.raises(DataError) as caught:
        load_locomo(file)
    place, _, rest = str(caught.value).partition(": ")
    sample = "sample no. 1" if path == "sample_id" else "sample s-1"
    assert place.startswith(f"{file}, {sample}, ")
    assert place.endswith(field)
    assert problem in rest
    assert re.search(r"(Correct|Add|Use|Write|Give|Remove) .*\.$", rest)


def test_evidence_listed_for_one_conversation_is_an_error_in_another(write):
    with pytest.raises(DataError, match=re.escape('"D30:05" names no turn')):
        load_locomo(write(changed("qa.0.evidence", ["D30:05"])))


def test_a_listed_repair_needs_its_turns(write):
    (sample,) = changed("qa.0.evidence", ["D30:05"])
    with pytest.raises(DataError, match="names no turn"):
        load_locomo(write([{**sample, "sample_id": "conv-50"}]))


def test_two_samples_may_not_share_an_id(write):
    with pytest.raises(DataError, match='sample_id "s-1" is used twice'):
        load_locomo(write([MINIMAL, MINIMAL]))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no valid JSON"),
        ("[{", "no valid JSON"),
        ("[NaN]", "NaN is no JSON value"),
        ("[Infinity]", "Infinity is no JSON value"),
        ('[{"a": 1, "a": 2}]', 'the key "a" stands twice'),
        ("[" + "9" * 5000 + "]", "no valid JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", "holds no sample"),
        ("{}", "expected a list, found an object"),
        ("null", "expected a list, found null"),
        ("[1e999]", "expected an object"),
        ("[" + "[" * 500 + "]" * 500 + "]", "expected an object, found a list of 1"),
    ],
)
def test_a_file_that_is_no_list_of_samples_is_refused(write, text, problem):
    file = write(text)
    with pytest.raises(DataError, match=re.escape(problem)) as caught:
        load_locomo(file)
    assert str(caught.value).startswith(file)


def test_bytes_that_are_no_utf8_are_refused(tmp_path):
    (tmp_path / "file.json").write_bytes(b'["\xff"]')
    with pytest.raises(DataError, match="no valid JSON"):
        load_locomo(tmp_path / "file.json")


def test_a_byte_order_mark_is_no_fault(write):
    assert load_locomo(write("\ufeff" + json.dumps([MINIMAL]))).conversations


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(DataError, match=r"nothing\.json: can't be read"):
        load_locomo(tmp_path / "nothing.json")


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*MINIMAL, "text"]), inner, max_size=3),
    max_leaves=8,
)
_places = st.sampled_from(
    ["sample_id", "conversation", "conversation.session_1", T, f"{T}.text", f"{T}.img_url", "session_summary"]
) | st.sampled_from(
    ["qa", "qa.0", "qa.0.answer", "qa.0.evidence", "qa.0.category", "observation", "observation.session_1_observation"]
)


@given(_places, _json)
def test_junk_anywhere_is_taken_or_refused_but_never_crashes(tmp_path_factory, place, junk):
    file = tmp_path_factory.mktemp("junk") / "file.json"
    file.write_text(json.dumps(changed(place, junk)))
    try:
        load_locomo(file)
    except DataError as error:
        assert str(error).startswith(str(file))


@given(locomo_files())
def test_no_valid_file_loses_anything(tmp_path_factory, content):
    file = tmp_path_factory.mktemp("valid") / "file.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    for sample, conversation in zip(content, load_locomo(file).conversations, strict=True):
        talk = sample["conversation"]
        written = [turn for key in talk if re.fullmatch(r"session_\d+", key) for turn in talk[key]]
        assert [(t.id, t.speaker, t.text, t.caption) for t in conversation.turns()] == [
            (turn["dia_id"], turn["speaker"], turn["text"], turn.get("blip_caption")) for turn in written
        ]
        for item, qa in zip(conversation.items, sample["qa"], strict=True):
            assert (item.question.text, item.category.locomo_id) == (qa["question"], qa["category"])
            assert item.reference == (str(qa["answer"]) if "answer" in qa else None)
            assert item.trap == (str(qa["adversarial_answer"]) if "adversarial_answer" in qa else None)
            assert (set(item.evidence), item.evidence_dropped) == (set(qa["evidence"]), ())
