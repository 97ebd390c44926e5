import pytest

from eval.datasets.categories import Category


def test_members_stand_in_the_order_of_the_papers_columns():
    assert [c.label for c in Category] == ["Multi Hop", "Temporal", "Open Domain", "Single Hop", "Adversarial"]


@pytest.mark.parametrize(
    ("number", "value"),
    [(1, "multi_hop"), (2, "temporal"), (3, "open_domain"), (4, "single_hop"), (5, "adversarial")],
)
def test_numbers_and_values_name_the_same_category(number, value):
    assert Category.from_locomo_id(number) == value
    assert Category(value).locomo_id == number


@pytest.mark.parametrize("number", [0, 6, -1, True, 1.0, "1", None])
def test_other_numbers_are_refused(number):
    with pytest.raises(ValueError, match="no LoCoMo category"):
        Category.from_locomo_id(number)
