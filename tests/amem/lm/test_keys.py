from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from amem.lm.keys import canonical_json, key_of, request_json
from amem.lm.types import Message, Request, Sampling

IDENTITY = {"provider": "p", "model": "m", "digest": "d"}
BASE = Request((Message("user", "hi"),), "purpose", {"type": "object"}, Sampling(0.5, 1.0, 10, 3), 0)
CHANGES = [
    {"messages": (Message("user", "hi "),)},
    {"messages": (Message("system", "hi"),)},
    {"messages": (Message("user", "hi"), Message("user", ""))},
    {"schema": None},
    {"schema": {"type": "object", "title": "t"}},
    {"repeat": 1},
    *({"sampling": Sampling(**{**{"temperature": 0.5, "top_p": 1.0, "max_tokens": 10, "seed": 3}, **change})}
      for change in ({"temperature": 0.6}, {"top_p": 0.9}, {"max_tokens": 11}, {"seed": 4}, {"stop": ("x",)})),
]  # fmt: skip


def key(request: Request, identity=IDENTITY) -> str:
    return key_of(request_json(identity, request))


@given(st.text())
def test_the_purpose_does_not_matter(purpose):
    assert key(replace(BASE, purpose=purpose)) == key(BASE)


@given(st.sampled_from(CHANGES), st.sampled_from(CHANGES))
def test_everything_else_does(one, other):
    assert (key(replace(BASE, **one)) == key(replace(BASE, **other))) == (one == other)
    assert key(replace(BASE, **one)) != key(BASE)


@given(st.sampled_from(sorted(IDENTITY)), st.text())
def test_the_identity_does(name, value):
    assert (key(BASE, {**IDENTITY, name: value}) == key(BASE)) == (IDENTITY[name] == value)


def test_spelling_of_a_number_and_order_of_names_do_not():
    whole = replace(BASE, sampling=replace(BASE.sampling, temperature=0, top_p=1))
    assert key(whole) == key(replace(BASE, sampling=replace(BASE.sampling, temperature=0.0)))
    assert key(BASE, dict(reversed(IDENTITY.items()))) == key(BASE)


@given(st.text(st.characters()))
def test_any_text_can_be_hashed(text):
    assert len(key(replace(BASE, messages=(Message("user", text),)))) == 64


def test_canonical_json_is_ascii_sorted_and_without_spaces():
    assert canonical_json({"b": [1, "ä"], "a": None}) == '{"a":null,"b":[1,"\\u00e4"]}'
