"""From the configuration of a data set to its conversations, and the line that tells the user which data it is."""

from __future__ import annotations

from amem.errors import ConfigurationError
from eval.config import DatasetConfig
from eval.datasets.locate import Found, check_file, find_locomo, shipped_sample
from eval.datasets.locomo import load_locomo
from eval.datasets.slicing import slice_dataset
from eval.datasets.types import Dataset

NAMES = ("auto", "locomo", "sample")


def load(config: DatasetConfig) -> tuple[Dataset, str]:
    """Find, load, check and slice; raises DataError or ConfigurationError."""
    found = _find(config)
    dataset = slice_dataset(
        load_locomo(found.path),
        conversations=config.conversations,
        sessions=config.sessions,
        categories=config.categories,
        questions_per_category=config.questions,
    )
    return dataset, f"{found.line}\n{dataset.description}"


def _find(config: DatasetConfig) -> Found:
    if config.name not in NAMES:
        raise ConfigurationError(f"dataset.name is {config.name!r}; known are {', '.join(NAMES)}")
    if config.path is not None:
        return check_file(config.path, allow_other=config.allow_other)
    if config.name == "sample":
        return shipped_sample("it was asked for")
    return find_locomo(
        config.data_dir,
        download=config.download,
        allow_sample=config.name == "auto",
        allow_other=config.allow_other,
    )
