"""NLTK's data, which the set-up installs; nothing is downloaded while scoring."""

from __future__ import annotations

from functools import lru_cache

from amem.errors import ConfigurationError


@lru_cache(maxsize=8)
def require(resource: str, used_for: str) -> None:
    """Check that `resource` (a path such as `corpora/wordnet`) is installed; raises `ConfigurationError` if not."""
    import nltk

    try:
        nltk.data.find(resource)
    except LookupError:
        raise ConfigurationError(
            f"NLTK data {resource} is not installed, and {used_for} needs it: run `make setup`, "
            "or `make language-data` to try the download again, "
            f"or put it below one of {', '.join(nltk.data.path)}"
        ) from None
