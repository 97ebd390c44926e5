"""Rules that hold for any text, not only for the examples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amem.errors import ConfigurationError, DataError
from eval.datasets.categories import Category
from eval.metrics import nltk_data
from eval.metrics.registry import metric

WORDS = st.lists(
    st.sampled_from(["tea", "Teas", "the", "and", "a", "7 May", "running", "runs", ",", ";", "!", "…", "東京", "é"]),
    max_size=8,
).map(" ".join)
TEXT = st.one_of(WORDS, st.text(max_size=20))
TEXTUAL = [
    "exact_match", "f1_amem_set", "f1_locomo", "bleu1", "bleu2", "bleu3", "bleu4", "rouge1_f", "rouge2_f", "rougeL_f",
    "meteor",
]  # fmt: skip


def score(name: str, prediction: str, reference: str, category: Category = Category.SINGLE_HOP) -> float:
    return metric(name).scores([prediction], [reference], [category])[0]


@pytest.mark.parametrize("name", TEXTUAL)
@given(prediction=TEXT, reference=TEXT, category=st.sampled_from(Category))
def test_scores_lie_within_0_and_1(name: str, prediction: str, reference: str, category: Category) -> None:
    assert 0.0 <= score(name, prediction, reference, category) <= 1.0


@given(prediction=TEXT, reference=TEXT)
def test_set_f1_is_symmetric(prediction: str, reference: str) -> None:
    assert score("f1_amem_set", prediction, reference) == score("f1_amem_set", reference, prediction)


@given(prediction=TEXT, reference=TEXT)
def test_locomo_f1_is_symmetric_where_nothing_is_split(prediction: str, reference: str) -> None:
    assert score("f1_locomo", prediction, reference) == score("f1_locomo", reference, prediction)


@given(prediction=WORDS, repeats=st.integers(2, 4))
def test_saying_it_again_changes_no_set_f1(prediction: str, repeats: int) -> None:
    assert score("f1_amem_set", " ".join([prediction] * repeats), "tea runs") == score(
        "f1_amem_set", prediction, "tea runs"
    )


@given(parts=st.lists(st.sampled_from(["tea", "running shoes", "7 May"]), min_size=1, unique=True), data=st.data())
def test_order_of_multi_hop_parts_does_not_matter(parts: list[str], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(parts))
    assert score("f1_locomo", ", ".join(shuffled), ", ".join(parts), Category.MULTI_HOP) == 1.0


@given(before=TEXT, after=TEXT, wording=st.sampled_from(["Not mentioned", "NO INFORMATION AVAILABLE"]))
def test_an_abstention_counts_anywhere_in_the_reply(before: str, after: str, wording: str) -> None:
    assert score("f1_locomo", before + wording + after, "a trap", Category.ADVERSARIAL) == 1.0


@pytest.mark.parametrize("name", [*TEXTUAL, "sbert_similarity"])
@pytest.mark.parametrize(("prediction", "reference"), [("", "tea"), ("tea", ""), ("", "")])
def test_an_empty_text_scores_zero(name: str, prediction: str, reference: str) -> None:
    assert score(name, prediction, reference) == 0.0


def test_what_follows_a_semicolon_is_cut_from_an_open_domain_reference_only() -> None:
    assert score("f1_locomo", "tea", "tea; she said so", Category.OPEN_DOMAIN) == 1.0
    assert score("f1_locomo", "tea", "tea; she said so", Category.SINGLE_HOP) < 1.0


def test_a_comma_is_deleted_and_parts_no_words() -> None:
    assert score("f1_locomo", "1,000 cups", "1000 cups", Category.SINGLE_HOP) == 1.0


def test_an_unknown_category_is_refused() -> None:
    with pytest.raises(DataError, match="single-hop"):
        metric("f1_locomo").scores(["tea"], ["tea"], ["single-hop"])


def test_sequences_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="argument"):
        metric("exact_match").scores(["tea"], ["tea", "milk"], ["single_hop", "single_hop"])


def test_missing_nltk_data_names_the_set_up() -> None:
    with pytest.raises(ConfigurationError, match="make setup"):
        nltk_data.require("corpora/no_such_corpus", "a test")
