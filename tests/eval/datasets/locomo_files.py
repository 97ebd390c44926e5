"""Random files in LoCoMo's format, for properties of the loader and of slicing."""

from __future__ import annotations

from hypothesis import strategies as st

NAMES = ("Oda", "Piet")
MONTHS = ("January", "May", "December")

_words = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12).filter(str.strip)
_answers = _words | st.integers(-(10**9), 10**9)
_dates = st.builds(
    "{}:{:02} {} on {} {}, {}".format,
    st.integers(1, 12),
    st.integers(0, 59),
    st.sampled_from(["am", "pm"]),
    st.integers(1, 28),
    st.sampled_from(MONTHS),
    st.integers(1990, 2030),
)


@st.composite
def _turn(draw, dia_id: str) -> dict:
    turn = {"speaker": draw(st.sampled_from(NAMES)), "dia_id": dia_id, "text": draw(_words)}
    if draw(st.booleans()):
        turn["blip_caption"] = draw(_words)
    if draw(st.booleans()):
        turn["img_url"] = ["https://example.org/x.jpg"]
    return turn


@st.composite
def _question(draw, turn_ids: list[str]) -> dict:
    category = draw(st.integers(1, 5))
    key = "adversarial_answer" if category == 5 else "answer"
    evidence = draw(st.lists(st.sampled_from(turn_ids), max_size=3))
    return {"question": draw(_words), key: draw(_answers), "evidence": evidence, "category": category}


@st.composite
def _sample(draw, sample_id: str) -> dict:
    conversation: dict = {"speaker_a": NAMES[0], "speaker_b": NAMES[1], "session_99_date_time": "not read"}
    ids: list[str] = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        own = [f"D{number}:{i}" for i in range(1, draw(st.integers(1, 4)) + 1)]
        conversation[f"session_{number}_date_time"] = draw(_dates)
        conversation[f"session_{number}"] = [draw(_turn(dia_id)) for dia_id in own]
        ids += own
    questions = draw(st.lists(_question(ids), max_size=8))
    return {"sample_id": sample_id, "conversation": conversation, "qa": questions}


@st.composite
def locomo_files(draw) -> list[dict]:
    """The content of a valid file with one to three conversations."""
    return [draw(_sample(f"conv-{i}")) for i in range(draw(st.integers(1, 3)))]
