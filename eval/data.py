"""From the configuration of a data set to its conversations, and the line that tells the user which data it is."""

from __future__ import annotations

from amem.errors import ConfigurationError
from eval.config import DatasetConfig
from eval.datasets.locate import VARIABLE, Found, check_file, find_locomo, shipped_sample
from eval.datasets.locomo import load_locomo
from eval.datasets.provenance import FILE_NAME
from eval.datasets.slicing import slice_dataset
from eval.datasets.types import Dataset

NAMES = ("auto", "locomo", "sample")


def load(config: DatasetConfig) -> tuple[Dataset, str]:
    """Find, load, check and slice; raises DataError or ConfigurationError."""
    found = _find(config)
    dataset = load_locomo(found.path)
    try:
        dataset = slice_dataset(
            dataset,
            conversations=config.conversations,
            sessions=config.sessions,
            categories=config.categories,
            questions_per_category=config.questions,
        )
    except ConfigurationError as error:
        if found.stands_in is None:
            raise
        raise ConfigurationError(
            f"{error}. The sample stands in for LoCoMo here, since {found.stands_in}: put {FILE_NAME} there, or set "
            f"{VARIABLE} or dataset.data_dir to the folder that holds it"
        ) from error
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
