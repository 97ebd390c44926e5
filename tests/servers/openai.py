"""OpenAI's side of the emulation: /v1/chat/completions with usage and response_format, /v1/models."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.servers.engine import Asked
from tests.servers.faults import Fault

if TYPE_CHECKING:
    from tests.servers.emulation import Answer, Emulation


def error_body(status: int, message: str | None = None, code: str | None = None) -> str:
    text = message or f"emulated error {status}"
    return json.dumps({"error": {"message": text, "type": "emulated", "param": None, "code": code}})


def answer(emulation: Emulation, path: str, headers: dict[str, str], body: dict[str, Any], fault: Fault) -> Answer:
    from tests.servers.emulation import Answer

    sent = headers.get("authorization", "").removeprefix("Bearer ")
    if emulation.key is not None and sent != emulation.key:
        return Answer(json.loads(error_body(401, f"Incorrect API key provided: {sent}.", "invalid_api_key")), 401)
    if path == "/v1/models":
        return Answer({"object": "list", "data": [{"id": "emulated", "object": "model"}]})
    if path != "/v1/chat/completions":
        return Answer(json.loads(error_body(404)), 404)
    problem = _strict_problem(body)
    if problem:
        return Answer(json.loads(error_body(400, problem, "invalid_json_schema")), 400)
    return Answer(_completion(emulation, body, fault))


def _completion(emulation: Emulation, body: dict[str, Any], fault: Fault) -> dict[str, Any]:
    format_ = body.get("response_format") or {}
    asked = Asked(
        body["model"], body["messages"], format_.get("json_schema", {}).get("schema"), body.get("temperature"),
        body.get("top_p"), body.get("max_completion_tokens") or body.get("max_tokens"), body.get("seed"),
    )  # fmt: skip
    said = emulation.engine.reply(asked)
    prompt = said.prompt_tokens if fault.prompt_tokens is None else fault.prompt_tokens
    message = {
        "role": "assistant",
        "content": said.text if fault.text is None else fault.text,
        "refusal": fault.refusal,
    }
    choice = {"index": 0, "message": message, "finish_reason": fault.finish_reason or said.finish_reason}
    counts = {"prompt_tokens": prompt, "completion_tokens": said.completion_tokens}
    total = {"total_tokens": sum(counts.values()), "prompt_tokens_details": {"cached_tokens": 0}}
    return {
        "id": "chatcmpl-emulated",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "system_fingerprint": "fp_emulated",
        "choices": [choice],
        "usage": {**counts, **total} if prompt else None,
    }


def _strict_problem(body: dict[str, Any]) -> str | None:
    """OpenAI's own rules for strict schemas, of which a violation is a bad request."""
    format_ = (body.get("response_format") or {}).get("json_schema", {})
    return _strict(format_["schema"]) if format_.get("strict") else None


def _strict(schema: Any) -> str | None:
    if isinstance(schema, list):
        return next(filter(None, map(_strict, schema)), None)
    if not isinstance(schema, dict):
        return None
    if schema.get("type") == "object":
        if schema.get("additionalProperties") is not False:
            return "Invalid schema: 'additionalProperties' is required to be supplied and to be false."
        if set(schema.get("required", ())) != set(schema.get("properties", {})):
            return "Invalid schema: 'required' is required to include every key in properties."
    return next(filter(None, map(_strict, schema.values())), None)
