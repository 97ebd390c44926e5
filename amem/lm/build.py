"""From a backbone's configuration (configs/backbone/*.yaml) to a language model, or to what is wrong with it."""

from __future__ import annotations

import difflib
import importlib
import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Protocol, runtime_checkable

from amem.errors import ConfigurationError
from amem.lm.budget import Budget, Prices
from amem.lm.model import LanguageModel
from amem.lm.no_keys import check_settings
from amem.lm.records import RecordStore
from amem.lm.retry import RetryPolicy
from amem.lm.types import Provider, Sampling
from amem.prompting.pack import PromptPack

REASK_PART = "reask"
"""The part of a prompt pack that words the second question after a reply that does not fit its schema."""


@runtime_checkable
class Pinned(Protocol):
    """A provider whose identity has to be asked for (a tag's digest), and is noted beside the records for replay."""

    def pin(self, store: RecordStore, *, ask: bool) -> None:
        """Learn the digest from the server (`ask`) or from the store; raises ConfigurationError."""


@runtime_checkable
class Checkable(Protocol):
    """A provider that can tell beforehand what it lacks: a server, a model, a key."""

    def problems(self) -> list[str]:
        """One line each, with what to install or set; empty where a call can be made."""


def build_model(
    spec: Mapping[str, Any],
    *,
    store: RecordStore,
    budget: Budget | None = None,
    seed: int = 0,
    records_only: bool = False,
    prompts: PromptPack | None = None,
    retry: RetryPolicy | None = None,
) -> LanguageModel:
    """The model that `spec` describes; raises ConfigurationError.

    `prompts` words the second question after an unusable reply; a pack without the part, or no pack: none is asked.
    With `records_only` neither server nor key is needed.
    """
    provider = build_provider(spec)
    if isinstance(provider, Pinned):
        provider.pin(store, ask=not records_only)
    return LanguageModel(
        provider,
        sampling=sampling_of(spec, seed),
        store=store,
        budget=budget,
        prices=prices_of(spec, provider),
        concurrency=concurrency_of(spec, provider),
        retry=retry,
        reask=reask_of(prompts),
        records_only=records_only,
    )


def build_provider(spec: Mapping[str, Any]) -> Provider:
    """`_target_` called with `settings`; nothing is loaded and no server is asked."""
    target = _resolve(spec)
    settings = dict(spec.get("settings") or {})
    known = settings_of(spec)
    for name in settings:
        if name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(known)}"
            raise ConfigurationError(f"backbone {_label(spec)}: settings.{name} is unknown; {hint}")
    check_settings(settings, f"backbone {_label(spec)}: settings")
    try:
        return target(**settings)
    except TypeError as error:
        raise ConfigurationError(f"backbone {_label(spec)}: settings: {error}") from error


def settings_of(spec: Mapping[str, Any]) -> list[str]:
    """Names of the settings that the class of a backbone takes."""
    return [name for name in inspect.signature(_resolve(spec)).parameters if name != "self"]


def check_backbone(spec: Mapping[str, Any]) -> list[str]:
    """What keeps this backbone from being called, a line each; empty where nothing does."""
    try:
        provider = build_provider(spec)
        prices_of(spec, provider)
        sampling_of(spec, 0)
    except ConfigurationError as error:
        return [str(error)]
    try:
        return [f"{_label(spec)}: {line}" for line in provider.problems()] if isinstance(provider, Checkable) else []
    finally:
        provider.close()


def _resolve(spec: Mapping[str, Any]) -> Callable[..., Provider]:
    path = str(spec.get("_target_", ""))
    module, _, name = path.rpartition(".")
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigurationError(f"backbone {_label(spec)}: _target_ {path!r} can't be imported: {error}") from error


def _label(spec: Mapping[str, Any]) -> str:
    return str(spec.get("label") or spec.get("_target_"))


def sampling_of(spec: Mapping[str, Any], seed: int) -> Sampling:
    """The configured sampling defaults; raises ConfigurationError."""
    given = {name: value for name, value in (spec.get("sampling") or {}).items() if value is not None}
    unknown = set(given) - {"temperature", "top_p", "max_tokens", "stop"}
    if unknown:
        raise ConfigurationError(
            f"backbone {_label(spec)}: sampling.{min(unknown)} is unknown; known: temperature, top_p, max_tokens, stop "
            "(the seed is the run's)"
        )
    if "stop" in given:
        given["stop"] = tuple(given["stop"])
    try:
        needed = {name: given.pop(name) for name in ("temperature", "top_p", "max_tokens")}
    except KeyError as error:
        raise ConfigurationError(f"backbone {_label(spec)}: sampling.{error.args[0]} is not set") from error
    return Sampling(seed=seed, **needed, **given)


def prices_of(spec: Mapping[str, Any], provider: Provider) -> Prices:
    """The configured prices, else the provider's own list; a price that nobody knows is not taken for zero."""
    given = {name: value for name, value in (spec.get("prices") or {}).items() if value is not None}
    if "input_per_million" in given and "output_per_million" in given:
        return Prices(**given)
    listed = provider.prices() if hasattr(provider, "prices") else None
    if listed is None:
        raise ConfigurationError(
            f"backbone {_label(spec)}: no price is known; set prices.input_per_million and prices.output_per_million "
            "(0 for a model of your own)"
        )
    return listed


def concurrency_of(spec: Mapping[str, Any], provider: Provider) -> int:
    """The configured limit, else the provider's own number of workers."""
    configured = spec.get("concurrency")
    return int(configured if configured is not None else getattr(provider, "workers", 1))


def reask_of(prompts: PromptPack | None) -> Callable[[str], str] | None:
    """How the pack words the second question, or None where it has no words for it."""
    if prompts is None or REASK_PART not in prompts.parts():
        return None
    render = partial(prompts.render, REASK_PART)
    return lambda error: render(error=error)
