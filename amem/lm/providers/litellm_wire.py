"""What goes to LiteLLM and what comes back, without any state."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from amem.errors import ConfigurationError
from amem.lm.strict_schema import strict
from amem.lm.types import FailureKind, ModelFailure, Reply, Usage

OLLAMA = "ollama_chat/"
_LOG_LEVELS = {"LiteLLM": logging.CRITICAL, "openai": logging.ERROR, "httpx": logging.ERROR, "httpcore": logging.ERROR}
_OWN_PARAMETERS = frozenset(
    {
        "model", "messages", "api_base", "base_url", "timeout", "temperature", "top_p", "max_tokens",
        "max_completion_tokens", "seed", "stop", "num_ctx", "response_format", "num_retries", "max_retries",
        "stream", "n",
    }
)  # fmt: skip
STRUCTURED = ("strict", "json_schema", "json_object", "none")


@lru_cache(maxsize=1)
def load_litellm() -> Any:
    """LiteLLM, imported at the first call (it takes seconds) and told to do nothing but call."""
    # Else it fetches a price list from the network at import, and reads keys from any .env file nearby.
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    os.environ.setdefault("LITELLM_MODE", "PRODUCTION")
    try:
        import litellm
    except ImportError as error:
        raise ConfigurationError("litellm is not installed: `pip install litellm`") from error
    litellm.telemetry = False
    litellm.suppress_debug_info = True
    litellm.drop_params = False
    litellm.cache = None
    # Everything that goes wrong is raised; their logs would repeat bodies and headers, whatever stands in them.
    for name, level in _LOG_LEVELS.items():
        logging.getLogger(name).setLevel(level)
    return litellm


def response_format(schema: Mapping[str, Any] | None, structured: str) -> dict[str, Any] | None:
    """The parameter in OpenAI's form, named by the schema's `title`; LiteLLM turns it into Ollama's `format`."""
    if schema is None or structured == "none":
        return None
    if structured == "json_object":
        return {"type": "json_object"}
    exact = structured == "strict"
    untitled = {name: value for name, value in schema.items() if name != "title"}
    sent = strict(untitled) if exact else untitled
    body = {"name": schema.get("title", "reply"), "schema": sent, "strict": exact}
    return {"type": "json_schema", "json_schema": body}


def reply_of(response: Any, seconds: float) -> Reply:
    """LiteLLM's response as a Reply; a refusal counts as stopped by the content filter."""
    if not response.choices:
        raise ModelFailure(FailureKind.SERVER, "the server's reply holds no choice")
    choice = response.choices[0]
    refusal = getattr(choice.message, "refusal", None)
    usage = response.usage
    details = getattr(usage, "prompt_tokens_details", None)
    fingerprint = getattr(response, "system_fingerprint", None)
    return Reply(
        text=refusal or choice.message.content or "",
        usage=Usage(usage.prompt_tokens, usage.completion_tokens, getattr(details, "cached_tokens", None) or 0),
        seconds=seconds,
        finish_reason="content_filter" if refusal else choice.finish_reason or "stop",
        facts={"model": response.model, **({"fingerprint": fingerprint} if fingerprint else {})},
    )


def check_settings(
    model: str,
    is_ollama: bool,
    window: int | None,
    num_ctx: int | None,
    structured: str,
    extra: Mapping[str, Any],
) -> None:
    """Raises ConfigurationError for what could only go wrong later, or in silence."""
    if model.startswith("ollama/"):
        raise ConfigurationError(f"settings.model: {model} is LiteLLM's old route; write {OLLAMA}{model[7:]}")
    if is_ollama and not num_ctx:
        raise ConfigurationError(f"settings.num_ctx is not set: {model} would cut prompts at the server's default")
    if not is_ollama and (num_ctx or not window):
        raise ConfigurationError(f"settings.window is not set for {model} (num_ctx is for Ollama)")
    if is_ollama and window not in (None, num_ctx):
        raise ConfigurationError(f"settings.window {window} and settings.num_ctx {num_ctx} differ; leave window out")
    if structured not in STRUCTURED:
        raise ConfigurationError(f"settings.structured: {structured!r} is none of {', '.join(STRUCTURED)}")
    own = sorted(_OWN_PARAMETERS & set(extra))
    if own:
        raise ConfigurationError(f"settings.extra.{own[0]} has a setting of its own; set it there")
