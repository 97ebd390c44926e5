"""Names change everywhere at once, and a shuffle can be undone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amem.errors import ConfigurationError
from eval.dialsim.names import NameMode, renamer
from eval.dialsim.objects import ShowFacts
from eval.dialsim.shows import SHOWS

PAIRS = {
    ("friends", "shuffle"): "Monica>Joey Joey>Monica Chandler>Rachel Rachel>Chandler Phoebe>Ross Ross>Phoebe",
    ("friends", "new_name"): "Monica>Patricia Chandler>James Joey>John Phoebe>Jennifer Rachel>Linda Ross>Robert",
    ("bigbang", "shuffle"): "Howard>Amy Amy>Leonard Leonard>Howard Raj>Penny Penny>Raj Bernadette>Sheldon "
    "Sheldon>Bernadette",
    ("bigbang", "new_name"): "Howard>Robert Leonard>James Raj>Michael Penny>Jennifer Bernadette>Linda Amy>Patricia "
    "Sheldon>John",
    ("theoffice", "shuffle"): "Dwight>Ryan Ryan>Jim Jim>Michael Michael>Pam Pam>Dwight",
    ("theoffice", "new_name"): "Dwight>John Jim>Robert Pam>Jennifer Ryan>William Michael>James",
}


@pytest.mark.parametrize(("show", "mode"), PAIRS)
def test_each_name_becomes_the_one_that_dialsim_gives_it(show: str, mode: str) -> None:
    rename = renamer(SHOWS[show], NameMode(mode))

    for pair in PAIRS[show, mode].split():
        old, new = pair.split(">")
        assert rename(old) == new


@pytest.mark.parametrize("show", SHOWS)
def test_a_shuffle_is_a_bijection_of_the_names(show: str) -> None:
    names = SHOWS[show].shuffle

    assert sorted(names) == sorted(names.values())
    assert all(old != new for old, new in names.items())


@pytest.mark.parametrize("show", SHOWS)
@given(data=st.data())
def test_shuffling_often_enough_gives_the_text_back(show: str, data: st.DataObject) -> None:
    word = st.sampled_from([*SHOWS[show].shuffle, "said", "to", "and", "Mrs. geller", "[MASK 0]"])
    text = " ".join(data.draw(st.lists(word)))
    rename = renamer(SHOWS[show], NameMode.SHUFFLE)

    shuffled = [text]
    for _ in range(30):  # a multiple of every cycle's length (2, 3 and 5)
        shuffled.append(rename(shuffled[-1]))

    assert shuffled[30] == text
    assert (shuffled[1] == text) is not any(name in text for name in SHOWS[show].shuffle)


def test_names_change_inside_words_and_only_in_their_own_case() -> None:
    rename = renamer(SHOWS["theoffice"], NameMode.SHUFFLE)

    assert rename("Pamela's Jims, jim and JIM") == "Dwightela's Michaels, jim and JIM"


def test_the_original_names_stay() -> None:
    assert renamer(SHOWS["friends"], NameMode.ORIGINAL)("Ross and Joey") == "Ross and Joey"


def test_a_show_without_names_for_a_mode_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="'harbour' has no names for the mode 'shuffle'"):
        renamer(ShowFacts("harbour", "Orin"), NameMode.SHUFFLE)
