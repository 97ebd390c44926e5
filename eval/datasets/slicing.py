"""A part of a dataset that can still be answered: whole sessions, and the questions whose evidence lies inside them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import islice

from amem.errors import ConfigurationError
from eval.datasets.categories import Category
from eval.datasets.types import Conversation, Dataset, QAItem


def slice_dataset(
    dataset: Dataset,
    *,
    conversations: Sequence[str | int] | None = None,
    sessions: int | None = None,
    categories: Sequence[Category | str] | None = None,
    questions_per_category: int | None = None,
    seed: int | None = None,
) -> Dataset:
    """The part of `dataset` asked for; None asks for everything.

    conversations: ids or 0-based positions (a number or its digits), kept in the dataset's order.
    sessions: the first so many of each conversation. A conversation that is cut keeps only questions whose evidence
        lies wholly inside; one that is whole keeps all, those without evidence too.
    categories: only questions of these.
    questions_per_category: at most so many of each conversation and category.
    seed: None takes the first ones; a number draws by hash of seed and question id, so that the choice stays the same
        whatever else is in the slice.

    Conversations left without a question are left out.

    Raises ConfigurationError for an unknown conversation or category, a count below 1, or a slice without questions.
    """
    _check_counts(sessions=sessions, questions_per_category=questions_per_category)
    left_out: Counter[str] = Counter(dataset.left_out)
    chosen = [_first_sessions(c, sessions, left_out) for c in _choose_conversations(dataset, conversations)]
    wanted = _choose_categories(categories)
    kept = {item.question.id for c in chosen for item in _thin(c, wanted, questions_per_category, seed)}
    if not kept:
        raise ConfigurationError("the slice holds no question; take more sessions, conversations or categories")
    return replace(
        dataset,
        conversations=tuple(_keep(chosen, kept, left_out)),
        restrictions=(*dataset.restrictions, *_restrictions(wanted, questions_per_category, seed)),
        left_out=dict(+left_out),
    )


def _check_counts(**counts: int | None) -> None:
    for name, count in counts.items():
        if count is not None and (type(count) is not int or count < 1):
            raise ConfigurationError(f"{name} must be a whole number of at least 1, or null for all; got {count!r}")


def _choose_conversations(dataset: Dataset, wanted: Sequence[str | int] | None) -> list[Conversation]:
    if wanted is None:
        return list(dataset.conversations)
    if isinstance(wanted, str) or not wanted:
        raise ConfigurationError(f"conversations must be a list of ids or positions, or null for all; got {wanted!r}")
    names = [c.id for c in dataset.conversations]
    positions = {key: name for at, name in enumerate(names) for key in (at, str(at))}
    known = positions | {name: name for name in names}
    for key in wanted:
        if type(key) not in (str, int) or key not in known:
            raise ConfigurationError(f"no conversation {key!r} in {dataset.source}; there are {', '.join(names)}")
    ids = {known[key] for key in wanted}
    return [c for c in dataset.conversations if c.id in ids]


def _choose_categories(wanted: Sequence[Category | str] | None) -> list[Category]:
    if wanted is None:
        return list(Category)
    if isinstance(wanted, str) or not wanted:
        raise ConfigurationError(f"categories must be a list of names, or null for all; got {wanted!r}")
    for name in wanted:
        if name not in tuple(Category):
            raise ConfigurationError(f"no category {name!r}; known are {', '.join(Category)}")
    return [category for category in Category if category in wanted]


def _first_sessions(conversation: Conversation, count: int | None, left_out: Counter[str]) -> Conversation:
    if count is None or count >= len(conversation.sessions):
        return conversation
    sessions = conversation.sessions[:count]
    inside = {turn.id for session in sessions for turn in session.turns}
    items = [item for item in conversation.items if item.evidence and inside.issuperset(item.evidence)]
    bare = sum(not item.evidence for item in conversation.items)
    left_out["questions without evidence"] += bare
    left_out["questions with evidence outside the sessions"] += len(conversation.items) - len(items) - bare
    return replace(conversation, sessions=sessions, items=tuple(items))


def _thin(conversation: Conversation, wanted: list[Category], each: int | None, seed: int | None) -> Iterator[QAItem]:
    items = conversation.items if seed is None else sorted(conversation.items, key=lambda item: _draw(seed, item))
    for category in wanted:
        yield from islice((item for item in items if item.category is category), each)


def _draw(seed: int, item: QAItem) -> bytes:
    return hashlib.sha256(f"{seed}|{item.question.id}".encode()).digest()


def _restrictions(wanted: list[Category], each: int | None, seed: int | None) -> list[str]:
    how = "the first ones" if seed is None else f"drawn with seed {seed}"
    notes = [f"only {', '.join(c.label for c in wanted)}"] if len(wanted) < len(Category) else []
    notes += [f"at most {each} of a conversation and category, {how}"] if each is not None else []
    return notes


def _keep(conversations: list[Conversation], kept: Set[str], left_out: Counter[str]) -> list[Conversation]:
    thinned = [replace(c, items=tuple(i for i in c.items if i.question.id in kept)) for c in conversations]
    left_out["questions by choice"] += sum(len(c.items) for c in conversations) - len(kept)
    left_out["conversations without a question"] += sum(not c.items for c in thinned)
    return [c for c in thinned if c.items]
