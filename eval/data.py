"""From the configuration of a data set to its conversations."""

from __future__ import annotations

from amem.errors import ConfigurationError
from eval.config import DatasetConfig
from eval.datasets.locate import find_locomo
from eval.datasets.locomo import load_locomo
from eval.datasets.provenance import SAMPLE_PATH
from eval.datasets.slicing import slice_dataset
from eval.datasets.types import Dataset

NAMES = ("auto", "locomo", "sample")


def load(config: DatasetConfig) -> Dataset:
    """Find, load, check and slice; raises DataError or ConfigurationError."""
    if config.name not in NAMES:
        raise ConfigurationError(f"dataset.name is {config.name!r}; known are {', '.join(NAMES)}")
    if config.path is not None:
        path = config.path
    elif config.name == "sample":
        path = str(SAMPLE_PATH)
    else:
        path = str(
            find_locomo(
                config.data_dir,
                download=config.download,
                allow_sample=config.name == "auto",
                allow_other=config.allow_other,
            )[0]
        )
    return slice_dataset(
        load_locomo(path),
        conversations=[_position_or_id(key) for key in config.conversations] if config.conversations else None,
        sessions=config.sessions,
        categories=config.categories,
        questions_per_category=config.questions,
    )


def _position_or_id(key: str) -> str | int:
    return int(key) if key.isdecimal() else key
