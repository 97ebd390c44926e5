"""Which models an Ollama server has, by digest, and how to get those that it lacks."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from amem.errors import ConfigurationError

OLDEST = (0, 5)
"""The first release whose /api/chat takes a JSON schema as `format`, and counts cached prompt tokens too."""


def host(api_base: str | None) -> str:
    """The configured address, else OLLAMA_API_BASE or OLLAMA_HOST (which Ollama's own tools read), else the usual."""
    address = api_base or os.environ.get("OLLAMA_API_BASE") or os.environ.get("OLLAMA_HOST") or "127.0.0.1"
    scheme, _, rest = address.rpartition("://")
    # A server told to listen on 0.0.0.0 is reached under the loopback address.
    rest = rest.rstrip("/").replace("0.0.0.0", "127.0.0.1")
    if ":" not in rest.rpartition("]")[2] and "/" not in rest and scheme in ("", "http"):
        rest += ":11434"
    return f"{scheme or 'http'}://{rest}"


def digests(address: str) -> dict[str, str]:
    """Tag → digest of every model that is installed; raises ConfigurationError where no server answers."""
    models = _asked(address, lambda client: client.list()).models
    return {model.model: model.digest for model in models if model.model and model.digest}


def digest(address: str, model: str) -> str:
    """The digest of one model; raises ConfigurationError where it is not installed."""
    installed = digests(address)
    found = installed.get(_tagged(model))
    if found is None:
        raise ConfigurationError(
            f"the Ollama server at {address} has no model {model}: run `make pull-models` or `ollama pull {model}`"
        )
    return found


def check(address: str, model: str, window: int) -> str:
    """The digest of a model that can be used with `window` tokens; else ConfigurationError with what to do."""
    found = version(address)
    if is_old(found):
        raise ConfigurationError(f"the Ollama server at {address} is {found}; schemas need 0.5 or later: update it")
    built = digest(address, model)
    limit = context_length(address, model)
    if limit is not None and window > limit:
        raise ConfigurationError(
            f"{model} was made for {limit} tokens, and Ollama would cut longer prompts to that without a word: set "
            f"settings.num_ctx to {limit} or less (it is {window})"
        )
    return built


def version(address: str) -> str:
    import httpx

    return _asked(address, lambda _: httpx.get(f"{address}/api/version", timeout=10).json())["version"]


def context_length(address: str, model: str) -> int | None:
    """The tokens that a model was made for, where the server tells."""
    facts = _asked(address, lambda client: client.show(model)).modelinfo or {}
    return next((int(value) for name, value in facts.items() if name.endswith(".context_length")), None)


def is_old(version: str) -> bool:
    """Whether a server's version is too old to be used; development builds (0.0.0) are taken as new."""
    numbers = tuple(int(part) for part in version.split("-")[0].split(".")[:2] if part.isdigit())
    return numbers != (0, 0) and numbers < OLDEST


def pull(address: str, model: str, progress: Callable[[str, int, int], None]) -> str:
    """Download a model and return its digest; `progress(layer, bytes done, bytes in all)` is called as it goes on."""

    def stream(client: Any) -> None:
        for step in client.pull(model, stream=True):
            if step.digest and step.total:
                progress(step.digest, step.completed or 0, step.total)

    _asked(address, stream)
    return digest(address, model)


def _tagged(model: str) -> str:
    return model if ":" in model else f"{model}:latest"


def _asked(address: str, ask: Callable[[Any], Any]) -> Any:
    import httpx
    import ollama

    try:
        return ask(ollama.Client(host=address))
    except ollama.ResponseError as error:
        raise ConfigurationError(f"the Ollama server at {address} refused: {error.error}") from error
    except (ConnectionError, httpx.HTTPError, ValueError) as error:
        raise ConfigurationError(
            f"no Ollama server answers at {address}: install Ollama and start it with `ollama serve`, or name another "
            "address (settings.api_base, or the variable OLLAMA_HOST)"
        ) from error
