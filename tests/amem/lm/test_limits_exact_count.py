"""A provider that knows its chat template is believed."""

from __future__ import annotations

from amem.lm.limits import prompt_tokens
from amem.lm.providers.scripted import ScriptedProvider
from amem.lm.types import Message, Request


class Exact(ScriptedProvider):
    def count_prompt(self, request: Request) -> int:
        return 17


def test_the_provider_s_own_count_of_a_prompt_is_used_where_it_has_one() -> None:
    request = Request((Message("user", "Hi"),), "test")
    assert prompt_tokens(Exact(lambda _: ""), request) == 17
    assert prompt_tokens(ScriptedProvider(lambda _: ""), request) > 17
