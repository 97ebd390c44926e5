"""A part of a dataset that can still be answered: whole sessions, and the questions whose evidence lies inside them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

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
    max_questions: int | None = None,
    seed: int | None = None,
) -> Dataset:
    """The part of `dataset` asked for; None asks for everything.

    conversations: ids or 0-based positions, kept in the dataset's order.
    sessions: the first so many of each conversation. A conversation that is cut keeps only questions whose evidence
        lies wholly inside; one that is whole keeps all, those without evidence too.
    categories, questions_per_category, max_questions: limits over the whole slice, in this order: the first ones
        without a `seed`, with one a choice by hash of seed and question id, which stays the same whatever else is in
        the slice. Conversations left without a question are then left out.

    Raises ConfigurationError for an unknown conversation or category, a count below 1, or a slice without questions.
    """
    _check_counts(sessions=sessions, questions_per_category=questions_per_category, max_questions=max_questions)
    left_out: Counter[str] = Counter(dataset.left_out)
    chosen = [_first_sessions(c, sessions, left_out) for c in _choose_conversations(dataset, conversations)]
    wanted = _choose_categories(categories)
    items = [item for c in chosen for item in c.items if item.category in wanted]
    items = _limit(items, questions_per_category, seed, by_category=True)
    items = _limit(items, max_questions, seed, by_category=False)
    restrictions = _restrictions(wanted, questions_per_category, max_questions, seed)
    if restrictions:
        chosen = _with_questions(chosen, items, left_out)
    if not any(c.items for c in chosen):
        raise ConfigurationError("the slice holds no question; take more sessions, conversations or categories")
    return replace(
        dataset,
        conversations=tuple(chosen),
        restrictions=(*dataset.restrictions, *restrictions),
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
    known = {key: name for position, name in enumerate(names) for key in (name, position)}
    for key in wanted:
        if isinstance(key, bool) or key not in known:
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


def _limit(items: list[QAItem], limit: int | None, seed: int | None, *, by_category: bool) -> list[QAItem]:
    """At most `limit` items (of each category), in their old order."""
    if limit is None:
        return items
    order = items if seed is None else sorted(items, key=lambda item: _draw(seed, item))
    taken: Counter[Category | None] = Counter()
    kept: set[str] = set()
    for item in order:
        group = item.category if by_category else None
        taken[group] += 1
        if taken[group] <= limit:
            kept.add(item.question.id)
    return [item for item in items if item.question.id in kept]


def _draw(seed: int, item: QAItem) -> bytes:
    return hashlib.sha256(f"{seed}|{item.question.id}".encode()).digest()


def _restrictions(wanted: Iterable[Category], each: int | None, total: int | None, seed: int | None) -> list[str]:
    names = [category.label for category in wanted]
    how = "the first ones" if seed is None else f"drawn with seed {seed}"
    notes = [f"only {', '.join(names)}"] if len(names) < len(Category) else []
    notes += [f"at most {each} a category, {how}"] if each is not None else []
    notes += [f"at most {total} in all, {how}"] if total is not None else []
    return notes


def _with_questions(
    conversations: list[Conversation], items: list[QAItem], left_out: Counter[str]
) -> list[Conversation]:
    kept = {item.question.id for item in items}
    thinned = [replace(c, items=tuple(i for i in c.items if i.question.id in kept)) for c in conversations]
    left_out["questions by choice"] += sum(len(c.items) for c in conversations) - len(items)
    left_out["conversations without a question"] += sum(not c.items for c in thinned)
    return [c for c in thinned if c.items]
