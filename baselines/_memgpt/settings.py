"""MemGPT's parameters; each default is a value of cpacker/MemGPT 0.3.25, or ours and said to be."""

from __future__ import annotations

from dataclasses import dataclass

from amem.errors import ConfigurationError

PAGED = "paged"
FULL = "full"


@dataclass(frozen=True)
class MemGPTSettings:
    """Parameters of MemGPT. "0.3.25" is memgpt/constants.py of that release."""

    mode: str = PAGED
    """`paged`: the method as published. `full`: the backbone's whole window and no warning, eviction or summary, which
    is what the 16,977 tokens of the A-Mem paper's Table 1 imply."""
    window: int = 8192
    """Tokens that prompt and reply may fill in `paged`, if the backbone has as many; 0.3.25 LLM_MAX_TOKENS default."""
    warn_at: float = 0.75
    """Share of the window at which the memory-pressure warning is given; 0.3.25 MESSAGE_SUMMARY_WARNING_FRAC."""
    evict_fraction: float = 0.75
    """Share of the queue's tokens that an eviction takes out; 0.3.25 MESSAGE_SUMMARY_TRUNC_TOKEN_FRAC (paper: 0.5)."""
    keep_last: int = 3
    """Latest entries that an eviction leaves; 0.3.25 MESSAGE_SUMMARY_TRUNC_KEEP_N_LAST."""
    summary_words: int = 100
    """Longest recursive summary; 0.3.25 asks for 100 words. A longer one is cut there."""
    block_chars: int = 2000
    """Limit of each core memory block, in characters; 0.3.25 CORE_MEMORY_PERSONA_CHAR_LIMIT and …HUMAN…"""
    page_size: int = 5
    """Search results a page; 0.3.25 RETRIEVAL_QUERY_DEFAULT_PAGE_SIZE."""
    result_chars: int = 3000
    """A function's result is cut here; 0.3.25 FUNCTION_RETURN_CHAR_LIMIT."""
    max_calls: int = 10
    """Calls chained for one question or warning; ours, 0.3.25 chains without bound unless told otherwise."""
    archive_turns: bool = True
    """Put every turn into archival storage as it comes; ours: without replies the agent sees too little to file all."""
    force_answer: bool = True
    """The last call that a question may make offers send_message alone; ours. False: the question then fails."""
    prose_answers: bool = False
    """Take a reply without any function call as the answer; ours. In 0.3.25 only send_message reaches the user."""

    def __post_init__(self) -> None:
        if self.mode not in (PAGED, FULL):
            raise ConfigurationError(f"memgpt: settings.mode is {PAGED} or {FULL}, not {self.mode!r}")
        for name in ("warn_at", "evict_fraction"):
            if not 0 < getattr(self, name) < 1:
                raise ConfigurationError(f"memgpt: settings.{name} lies between 0 and 1, not {getattr(self, name)}")
        for name in ("window", "summary_words", "block_chars", "page_size", "result_chars", "max_calls"):
            if getattr(self, name) < 1:
                raise ConfigurationError(f"memgpt: settings.{name} must be at least 1, not {getattr(self, name)}")
        if self.keep_last < 0:
            raise ConfigurationError(f"memgpt: settings.keep_last must not be negative, not {self.keep_last}")
