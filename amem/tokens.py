"""The one tokenizer in which every text length is reported, whatever the backbone: OpenAI's o200k_base.

The paper counts all six backbones with one tokenizer (its full-context row reads 16,910 for each); so do we, so
that a column of token counts compares methods and not tokenizers.
"""

from __future__ import annotations

import importlib.util
import os
from functools import lru_cache
from pathlib import Path
from typing import Any

ENCODING = "o200k_base"


@lru_cache(maxsize=1)
def _encoding() -> Any:
    # litellm ships the encoding's file; tiktoken would otherwise fetch it from the network at the first call.
    spec = importlib.util.find_spec("litellm")
    if spec and spec.origin:
        shipped = Path(spec.origin).parent / "litellm_core_utils" / "tokenizers"
        os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(shipped))
    import tiktoken

    return tiktoken.get_encoding(ENCODING)


@lru_cache(maxsize=65_536)
def count(text: str) -> int:
    """Tokens of `text` in o200k_base; special-token spellings count as ordinary text."""
    return len(_encoding().encode(text, disallowed_special=()))
