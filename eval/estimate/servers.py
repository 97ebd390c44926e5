"""Which backbones one server answers: they wait for each other, whatever their own limits are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from amem.lm.ollama_models import host


def server_of(name: str, target: str, settings: Mapping[str, Any]) -> str:
    """What answers the backbone `name`: an address, a hosted service's model, or this machine.

    A hosted service has a limit a model, so that its models are servers of their own.
    """
    if str(settings.get("model") or "").startswith("ollama"):
        return f"Ollama at {host(settings.get('api_base'))}"
    if settings.get("api_base"):
        return str(settings["api_base"])
    return f"hosted, {name}" if target.endswith("LiteLLMProvider") else "this machine"
