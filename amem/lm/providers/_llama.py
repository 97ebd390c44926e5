"""One worker: a llama.cpp server of one slot and one thread inside this process.

A prompt's *head* is all its messages but the last: instructions and worked examples, the same in every request of a
call. The head is always evaluated by itself, and its state is saved so that it need not be evaluated again. So a reply
depends on its request alone, never on the requests before it, which llama.cpp's own prompt cache does not promise:
there, where the cached part ends decides how the rest is cut into batches, and with it the last bits of every number.
"""

from __future__ import annotations

import http.client
import json
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from amem.errors import ConfigurationError
from amem.lm.providers import _heads
from amem.lm.types import Message


class Prompt(NamedTuple):
    tokens: list[int]
    head: int
    """How many of the tokens belong to the head."""


class LlamaWorker:
    """`complete` is for one thread at a time; `tokens` and `prompt` may be called meanwhile."""

    def __init__(self, model: Path, context: int, heads: _heads.SavedHeads) -> None:
        self._heads = heads
        self._secret = secrets.token_hex(16)
        self._server = _start(model, context, heads.folder, self._secret)
        self._host = self._server.listening_address.removeprefix("http://")

    def tokens(self, text: str, *, whole: bool = False) -> list[int]:
        """Token ids; with `whole` those that begin a prompt (if the model has any) are added."""
        return self._ask("/tokenize", {"content": text, "add_special": whole, "parse_special": True})["tokens"]

    def prompt(self, messages: Sequence[Message]) -> Prompt:
        """The messages in the model's chat template."""
        dicts = [{"role": message.role, "content": message.content} for message in messages]
        tokens = self.tokens(self._templated(dicts, reply=True), whole=True)
        if len(dicts) == 1:
            return Prompt(tokens, 0)
        head = self.tokens(self._templated(dicts[:-1], reply=False), whole=True)
        return Prompt(tokens, len(head) if tokens[: len(head)] == head else 0)

    def complete(self, prompt: Prompt, options: dict[str, Any]) -> dict[str, Any]:
        """llama.cpp's answer, or its `{"error": …}`."""
        if prompt.head:
            self._take_up(prompt.tokens[: prompt.head])
        answer = self._server.handle_completions({**options, "prompt": prompt.tokens, "cache_prompt": prompt.head > 0})
        if "error" not in answer and answer["timings"]["cache_n"] != prompt.head:
            raise RuntimeError(f"llama.cpp took up {answer['timings']['cache_n']} tokens of a head of {prompt.head}")
        return answer

    def _take_up(self, head: list[int]) -> None:
        """Leave the slot holding the head and nothing else."""
        saved = self._heads.find(head)
        if saved is not None and self._slot("restore", saved):
            return
        self._server.handle_completions({"prompt": head, "n_predict": 0, "cache_prompt": False})
        if len(head) > _heads.LARGEST:
            return
        name = self._heads.new_name()
        if self._slot("save", name):
            self._heads.add(head, name)

    def _slot(self, action: str, name: str) -> bool:
        """Whether it worked; where the disk is full or the file gone, a head is merely evaluated anew."""
        status, _ = self._post(f"/slots/0?action={action}", {"filename": name})
        return status == 200

    def _templated(self, messages: list[dict[str, str]], *, reply: bool) -> str:
        return self._ask("/apply-template", {"messages": messages, "add_generation_prompt": reply})["prompt"]

    def _ask(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        status, answer = self._post(path, body)
        if status != 200:
            raise RuntimeError(f"llama.cpp refused {path}: {answer}")
        return answer

    def _post(self, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        connection = http.client.HTTPConnection(self._host, timeout=60)
        try:
            connection.request("POST", path, json.dumps(body), {"Authorization": f"Bearer {self._secret}"})
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()


def _start(model: Path, context: int, slots: Path, secret: str) -> Any:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.n_ctx = context
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.n_gpu_layers = 0
    params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_ENABLED
    params.cache_ram_mib = 0
    params.fit_params = False  # it would shrink the context where memory is short
    params.prefill_assistant = False
    params.warmup = False
    params.ui = False
    params.verbosity = -1
    params.n_threads_http = 1
    params.api_keys = [secret]
    params.slot_save_path = f"{slots}/"
    try:
        return xllamacpp.Server(params)
    except RuntimeError as error:
        raise ConfigurationError(f"llama.cpp can't load {model}: {error}") from error
