"""Recall and archival storage, and their pages."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from baselines._memgpt.archival_storage import ArchivalStorage, Passage
from baselines._memgpt.entries import Entry, Kind
from baselines._memgpt.paging import page_of
from baselines._memgpt.recall_storage import RecallStorage
from tests.support import WordEmbedder

EMBEDDER = WordEmbedder()


def stored(*texts: str, kind: Kind = Kind.TURN) -> RecallStorage:
    return RecallStorage(
        Entry(i, kind, text, 5, 1, "a day", date(2024, 3, 1 + i), f"D1:{i}") for i, text in enumerate(texts)
    )


def archive(*texts: str) -> ArchivalStorage:
    storage = ArchivalStorage(EMBEDDER.dimension)
    storage.insert([Passage(text, None) for text in texts], EMBEDDER.encode(texts))
    return storage


def found(storage: ArchivalStorage, query: str, page: int = 1) -> list[str]:
    return [passage.text for passage in storage.search(EMBEDDER.encode([query])[0], page, 5).items]


def test_text_is_found_whatever_its_case() -> None:
    assert [e.id for e in stored("A Kiln", "the wheel", "KILNS").search_text("kiln")] == [0, 2]


def test_days_are_found_with_both_ends() -> None:
    assert [e.id for e in stored("a", "b", "c", "d").search_dates(date(2024, 3, 2), date(2024, 3, 3))] == [1, 2]


def test_the_agents_own_calls_are_not_found() -> None:
    assert stored("kiln", kind=Kind.CALL).search_text("kiln") == []


def test_an_entry_out_of_order_is_refused() -> None:
    with pytest.raises(ValueError, match="does not follow"):
        stored("a").add(Entry(5, Kind.TURN, "b", 1))


@pytest.mark.parametrize(("page", "items"), [(1, (0, 1, 2, 3, 4)), (2, (5, 6, 7, 8, 9)), (3, (10, 11, 12)), (4, ())])
def test_thirteen_hits_fill_three_pages(page: int, items: tuple[int, ...]) -> None:
    result = page_of(range(13), page, 5)
    assert (result.items, result.pages, result.total) == (items, 3, 13)


def test_no_hits_are_no_pages() -> None:
    assert page_of([], 1, 5).pages == 0


def test_the_nearest_passage_comes_first() -> None:
    assert found(archive("a wheel turns", "a kiln burns", "bread"), "the kiln burns")[0] == "a kiln burns"


def test_passages_are_paged_with_their_total() -> None:
    storage = archive(*(f"clay {word}" for word in "abcdefghijklm"))
    pages = [storage.search(EMBEDDER.encode(["clay"])[0], page, 5) for page in (1, 2, 3, 4)]
    assert [len(page.items) for page in pages] == [5, 5, 3, 0]
    assert {page.total for page in pages} == {13}
    assert len({passage.text for page in pages for passage in page.items}) == 13


def test_a_fork_and_its_origin_do_not_see_each_others_passages() -> None:
    origin = archive("one")
    fork = origin.fork()
    fork.insert([Passage("two", None)], EMBEDDER.encode(["two"]))
    origin.insert([Passage("three", None)], EMBEDDER.encode(["three"]))
    assert sorted(found(fork, "one")) == ["one", "two"]
    assert sorted(found(origin, "one")) == ["one", "three"]


def test_archival_storage_is_restored_with_its_vectors() -> None:
    storage = archive("one", "two")
    again = ArchivalStorage.from_json(storage.to_json(), storage.vectors(), EMBEDDER.dimension)
    assert np.array_equal(again.vectors(), storage.vectors())
    assert found(again, "two") == found(storage, "two")
