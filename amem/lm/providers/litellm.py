"""Any model that LiteLLM reaches: Ollama by its native route, OpenAI, and whatever speaks like them."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from amem import tokens
from amem.errors import ConfigurationError
from amem.lm import ollama_models
from amem.lm.budget import Prices
from amem.lm.providers import _server
from amem.lm.providers.litellm_errors import translated
from amem.lm.providers.litellm_wire import OLLAMA, check_settings, load_litellm, reply_of, response_format
from amem.lm.records import RecordStore
from amem.lm.secrets import without_values
from amem.lm.types import Reply, Request, Usage


class LiteLLMProvider:
    """One attempt a call: LiteLLM's own retries, caches and prints are off, retrying is done around a provider.

    model            LiteLLM's name: `ollama_chat/<tag>`, `openai/<model>`, `hosted_vllm/<model>`, `azure/<name>` …
    api_base         address of the server; None: LiteLLM's default (Ollama: OLLAMA_HOST)
    key              environment variable that holds the key; with an `api_base` and no `key`, no key is sent
    window           tokens that prompt and reply may fill together; Ollama: `num_ctx`
    num_ctx          Ollama's window, sent with every call (its default cuts prompts without a word)
    digest           Ollama: the digest that the tag must have; elsewhere: free text that names the model's build
    structured       how the schema is sent: `strict` (OpenAI), `json_schema`, `json_object` (only "some JSON"), `none`
    max_tokens_name  the parameter that bounds the reply: `max_completion_tokens` for OpenAI
    tokens_factor    the model's tokens per token of o200k_base, rounded up: its own tokenizer is not at hand
    truncation_share a prompt count below this share of ours means that the server cut the prompt
    omit             sampling parameters that the model does not take
    extra            further parameters for `litellm.completion`; part of the records' key
    timeout          seconds for one attempt
    """

    def __init__(
        self,
        *,
        model: str,
        window: int | None = None,
        api_base: str | None = None,
        key: str | None = None,
        num_ctx: int | None = None,
        digest: str | None = None,
        structured: Literal["strict", "json_schema", "json_object", "none"] = "json_schema",
        max_tokens_name: str = "max_tokens",
        tokens_factor: float = 1.0,
        truncation_share: float | None = 0.6,
        omit: Sequence[str] = (),
        extra: Mapping[str, Any] | None = None,
        timeout: float = 600.0,
    ) -> None:
        self._is_ollama = model.startswith(OLLAMA)
        check_settings(model, self._is_ollama, window, num_ctx, structured, extra or {})
        self._model = model
        self._window = int(num_ctx or window)  # type: ignore[arg-type]
        self._api_base = ollama_models.host(api_base) if self._is_ollama else api_base
        self._key = key
        self._num_ctx = num_ctx
        self._digest = digest
        self._structured = structured
        self._max_tokens_name = max_tokens_name
        self._tokens_factor = tokens_factor
        self.truncation_share = truncation_share
        self._omit = tuple(omit)
        self._extra = dict(extra or {})
        self._timeout = timeout

    @property
    def identity(self) -> Mapping[str, Any]:
        return {
            "provider": "litellm",
            "model": self._model,
            "digest": self._digest,
            "num_ctx": self._num_ctx,
            "structured": self._structured,
            "omit": sorted(self._omit),
            "extra": self._extra,
        }

    @property
    def window(self) -> int:
        return self._window

    def count_tokens(self, text: str) -> int:
        return math.ceil(tokens.count(text) * self._tokens_factor)

    def complete(self, request: Request) -> Reply:
        litellm = load_litellm()
        parameters = self._parameters(request)
        started = time.perf_counter()
        try:
            response = litellm.completion(**parameters, api_key=self._api_key(), timeout=self._timeout)
        except Exception as error:
            # LiteLLM raises whatever a server's body makes its parsers raise. Nothing of the original is chained: it
            # may hold headers.
            raise translated(error, self._model) from None
        reply = self._without_key(reply_of(response, time.perf_counter() - started))
        return reply if reply.usage.prompt_tokens else self._counted_here(request, reply)

    def pin(self, store: RecordStore, *, ask: bool) -> None:
        """Ollama's tags move; the digest behind one is asked for, and noted for runs that replay without a server."""
        if not self._is_ollama:
            return
        name = f"ollama:{self._tag}"
        found = self._ollama_digest() if ask else self._digest or store.get_pin(name)
        if found is None:
            raise ConfigurationError(
                f"the records do not say which build of {self._tag} they were made with; set settings.digest"
            )
        if self._digest not in (None, found):
            raise ConfigurationError(
                f"{self._tag} at {self._api_base} is build {found}, settings.digest says {self._digest}: pull it "
                "again, or change the digest (replies of another build are recorded apart)"
            )
        self._digest = found
        if ask:
            store.put_pin(name, found)

    def problems(self) -> list[str]:
        """What keeps a call from being made, a line each."""
        return self._ollama_problems() if self._is_ollama else self._call_problems()

    def prices(self) -> Prices | None:
        """The price list that the installed LiteLLM brings; a server of one's own costs nothing; else None."""
        listed = load_litellm().model_cost
        entry = listed.get(self._model) or listed.get(self._model.partition("/")[2])
        if not entry or "input_cost_per_token" not in entry:
            own = self._api_base is not None and _server.is_own(self._api_base)
            return Prices(source="a server of one's own") if own else None
        cached = entry.get("cache_read_input_token_cost")
        return Prices(
            entry["input_cost_per_token"] * 1e6,
            entry["output_cost_per_token"] * 1e6,
            None if cached is None else cached * 1e6,
            source="price list of the installed litellm",
        )

    def close(self) -> None:
        pass

    @property
    def _tag(self) -> str:
        return self._model.removeprefix(OLLAMA)

    def _counted_here(self, request: Request, reply: Reply) -> Reply:
        if self.truncation_share is not None:
            raise ConfigurationError(
                f"{self._model}: the server reports no token counts, so that a cut prompt would go unnoticed; if it "
                "can't cut prompts, set settings.truncation_share=null, and tokens are counted here"
            )
        prompt = sum(self.count_tokens(message.content) for message in request.messages)
        return replace(reply, usage=Usage(prompt, reply.usage.completion_tokens or self.count_tokens(reply.text)))

    def _without_key(self, reply: Reply) -> Reply:
        """A server may hand the key back in what it says; records must not hold it."""
        own = os.environ.get(self._key or "")
        return replace(reply, text=without_values(reply.text, *([own] if own else [])))

    def _api_key(self) -> str | None:
        if self._key is not None:
            return os.environ.get(self._key)
        # Without this, LiteLLM would send OPENAI_API_KEY to whatever server api_base names.
        return "none" if self._api_base and not self._is_ollama else None

    def _parameters(self, request: Request) -> dict[str, Any]:
        sampling = request.sampling
        sent: dict[str, Any] = {
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            self._max_tokens_name: sampling.max_tokens,
            # A repeat is another sample, not the same one once more.
            "seed": None if sampling.seed is None else sampling.seed + request.repeat,
            "stop": list(sampling.stop) or None,
            "num_ctx": self._num_ctx,
            "response_format": response_format(request.schema, self._structured),
            "api_base": self._api_base,
        }
        return {
            "model": self._model,
            "messages": [{"role": m.role, "content": m.content} for m in request.messages],
            **{name: value for name, value in sent.items() if value is not None and name not in self._omit},
            **self._extra,
            "num_retries": 0,
            "max_retries": 0,
        }

    def _ollama_problems(self) -> list[str]:
        try:
            self._ollama_digest()
        except ConfigurationError as error:
            return [str(error)]
        return []

    def _ollama_digest(self) -> str:
        return ollama_models.check(str(self._api_base), self._tag, self._window)

    def _call_problems(self) -> list[str]:
        if self._key is not None and not os.environ.get(self._key):
            return [f"no key for {self._model}: set the variable {self._key}"]
        if self._api_base:
            problem = _server.unreachable(self._api_base)
            return [problem] if problem else []
        if self._key is not None:
            return []
        missing = load_litellm().validate_environment(self._model)["missing_keys"]
        return [f"no key for {self._model}: set the variable {name}" for name in missing]
