"""The truncation guard: no prompt is cut without our knowing.

Before sending, the prompt and the room for the reply must fit the window by our own count. Afterwards the provider's
count is held against ours: far fewer tokens than we sent means that it dropped some.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from amem.lm.types import FailureKind, ModelFailure, Provider, Reply, Request

MESSAGE_OVERHEAD = 4
"""Tokens that a chat template adds to a message (role marks, separators) in the formats of the six backbones."""

PROMPT_OVERHEAD = 32
"""Tokens that a chat template adds once, such as the default system lines of Llama 3.2 and Qwen 2.5."""

ROUNDING = 8
"""Tokens by which counts of a short prompt may differ for no reason that matters."""


@runtime_checkable
class CountsPrompts(Protocol):
    """A provider that knows its model's chat template."""

    def count_prompt(self, request: Request) -> int:
        """Tokens of the whole prompt, template included."""


def prompt_tokens(provider: Provider, request: Request) -> int:
    """Tokens of the request's messages with the chat template around them, by the provider's tokenizer."""
    if isinstance(provider, CountsPrompts):
        return provider.count_prompt(request)
    contents = sum(provider.count_tokens(message.content) for message in request.messages)
    return contents + MESSAGE_OVERHEAD * len(request.messages) + PROMPT_OVERHEAD


def check_fits(request: Request, prompt: int, window: int) -> None:
    """Raises ModelFailure(CONTEXT_OVERFLOW) where prompt and reply can't both fit the window."""
    room = request.sampling.max_tokens or 0
    if prompt + room <= window:
        return
    raise ModelFailure(
        FailureKind.CONTEXT_OVERFLOW,
        f"the prompt of {prompt} tokens and a reply of up to {room} exceed the window of {window}; nothing was sent",
        purpose=request.purpose,
        details={"prompt_tokens": prompt, "max_tokens": room, "window": window},
    )


def check_whole(provider: Provider, request: Request, reply: Reply, prompt: int) -> None:
    """Raises ModelFailure(TRUNCATED_PROMPT) where the provider read clearly less than was sent.

    "Clearly" is the provider's `truncation_share`: the share of our count below which its count can't be a matter of
    different tokenizers. A provider without one can't be checked (it cuts nothing, or reports nothing).
    """
    share = getattr(provider, "truncation_share", None)
    # The template's share of a short prompt is a guess; what is cut is never short.
    sent = prompt - PROMPT_OVERHEAD - MESSAGE_OVERHEAD * len(request.messages)
    read = reply.usage.prompt_tokens
    window_full = read >= provider.window
    if share is None or not (window_full or read < share * sent - ROUNDING):
        return
    raise ModelFailure(
        FailureKind.TRUNCATED_PROMPT,
        f"the provider read {read} tokens of a prompt of about {sent} (window {provider.window}): it cut the prompt; "
        "raise num_ctx, or lower what the method sends",
        purpose=request.purpose,
        raw=reply.text,
        details={
            "prompt_tokens": read,
            "sent_tokens": sent,
            "window": provider.window,
            "completion_tokens": reply.usage.completion_tokens,
            "cached_tokens": reply.usage.cached_tokens,
            "seconds": reply.seconds,
        },
    )
