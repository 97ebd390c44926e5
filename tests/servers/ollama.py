"""Ollama's side of the emulation: /api/chat, tags, show, pull, version, embed. Options and format are honoured."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from amem import tokens
from tests.servers.engine import Asked, Said
from tests.servers.faults import Fault

if TYPE_CHECKING:
    from tests.servers.emulation import Answer, Emulation

DEFAULT_WINDOW = 4096
DATE = "2026-01-01T00:00:00Z"


def error_body(status: int) -> str:
    return f'{{"error": "emulated error {status}"}}'


def answer(emulation: Emulation, path: str, headers: dict[str, str], body: dict[str, Any], fault: Fault) -> Answer:
    from tests.servers.emulation import Answer

    routes = {
        "/api/version": lambda: Answer({"version": emulation.version}),
        "/api/tags": lambda: Answer({"models": [_tag(name, digest) for name, digest in emulation.models.items()]}),
        "/api/show": lambda: _show(emulation, body),
        "/api/pull": lambda: Answer(None, lines=_pull(emulation, body["model"])),
        "/api/embed": lambda: Answer({"model": body["model"], "embeddings": _embed(body["input"])}),
        "/api/chat": lambda: _chat(emulation, body, fault),
    }
    route = routes.get(path)
    return route() if route else Answer({"error": f"no route {path}"}, 404)


def _tag(name: str, digest: str) -> dict[str, Any]:
    details = {"format": "gguf", "family": "emulated", "parameter_size": "1B", "quantization_level": "Q4_K_M"}
    return {
        "name": name,
        "model": name,
        "modified_at": DATE,
        "size": 1,
        "digest": digest.removeprefix("sha256:"),
        "details": details,
    }


def _missing(name: str) -> Answer:
    from tests.servers.emulation import Answer

    return Answer({"error": f"model '{name}' not found"}, 404)


def _show(emulation: Emulation, body: dict[str, Any]) -> Answer:
    from tests.servers.emulation import Answer

    name = body.get("model") or body.get("name")
    if name not in emulation.models:
        return _missing(str(name))
    return Answer(
        {
            "details": {},
            "model_info": {"emulated.context_length": emulation.context_length},
            "capabilities": ["completion"],
        }
    )


def _pull(emulation: Emulation, name: str) -> list[dict[str, Any]]:
    if "unknown" in name:
        return [{"status": "pulling manifest"}, {"error": "pull model manifest: file does not exist"}]
    digest = "sha256:" + hashlib.sha256(name.encode()).hexdigest()
    layer = {"status": "pulling layer", "digest": digest, "total": 300}
    emulation.models[name] = digest  # type: ignore[index]
    steps = [{**layer, "completed": done} for done in (100, 200, 300)]
    return [{"status": "pulling manifest"}, *steps, {"status": "success"}]


def _embed(texts: str | list[str]) -> list[list[float]]:
    texts = [texts] if isinstance(texts, str) else texts
    return [[byte / 255 for byte in hashlib.sha256(text.encode()).digest()[:8]] for text in texts]


def _chat(emulation: Emulation, body: dict[str, Any], fault: Fault) -> Answer:
    from tests.servers.emulation import Answer

    if body["model"] not in emulation.models:
        return _missing(body["model"])
    said = _said(emulation, body)
    message = {"role": "assistant", "content": said.text if fault.text is None else fault.text}
    return Answer(
        {
            "model": body["model"],
            "created_at": DATE,
            "message": message,
            "done": True,
            "done_reason": fault.finish_reason or said.finish_reason,
            "prompt_eval_count": said.prompt_tokens if fault.prompt_tokens is None else fault.prompt_tokens,
            "eval_count": said.completion_tokens,
        }
    )


def _said(emulation: Emulation, body: dict[str, Any]) -> Said:
    options = body.get("options", {})
    window = options.get("num_ctx", DEFAULT_WINDOW)
    schema = body.get("format")
    asked = Asked(
        body["model"], body["messages"], schema if isinstance(schema, dict) else None, options.get("temperature"),
        options.get("top_p"), options.get("num_predict"), options.get("seed"),
    )  # fmt: skip
    length = sum(tokens.count(message["content"]) for message in asked.messages)
    said = emulation.engine.reply(asked)
    if length <= window:
        return said
    # As Ollama does: what does not fit is dropped without a word, only the count tells.
    return Said(said.text, window, said.completion_tokens, said.finish_reason)
