"""The content hash under which a reply is recorded."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from amem.lm.types import Request


def canonical_json(value: Any) -> str:
    """One spelling a value: sorted keys, no spaces, ASCII, no NaN."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def request_json(identity: Mapping[str, Any], request: Request) -> str:
    """All that can change a reply, and nothing else; this text is hashed, and stored for people to read."""
    sampling = request.sampling
    return canonical_json(
        {
            "provider": dict(identity),
            "messages": [{"role": m.role, "content": m.content} for m in request.messages],
            "schema": request.schema,
            "sampling": {
                # 0 and 0.0 are the same temperature but not the same JSON.
                "temperature": _float(sampling.temperature),
                "top_p": _float(sampling.top_p),
                "max_tokens": sampling.max_tokens,
                "seed": sampling.seed,
                "stop": list(sampling.stop),
            },
            "repeat": request.repeat,
        }
    )


def key_of(text: str) -> str:
    """SHA-256 of a `request_json`, in hex."""
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _float(value: float | None) -> float | None:
    return None if value is None else float(value)
