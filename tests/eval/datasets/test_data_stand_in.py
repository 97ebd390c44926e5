"""Where the sample stands in for LoCoMo, an error over the slice says why."""

from __future__ import annotations

from pathlib import Path

import pytest

from amem.errors import ConfigurationError
from eval.config import DatasetConfig
from eval.data import load

CONV_26 = ["conv-26"]


def test_a_conversation_of_locomo_that_the_sample_lacks_is_told_with_the_folder_that_was_looked_in(
    tmp_path: Path,
) -> None:
    config = DatasetConfig(data_dir=str(tmp_path / "nowhere"), download=False, conversations=CONV_26)
    with pytest.raises(ConfigurationError, match=r"stands in for LoCoMo.*no \S*nowhere/locomo10\.json.*switched off"):
        load(config)


def test_a_sample_that_was_asked_for_stands_in_for_nothing() -> None:
    with pytest.raises(ConfigurationError, match="no conversation 'conv-26'") as caught:
        load(DatasetConfig(name="sample", conversations=CONV_26))
    assert "stands in" not in str(caught.value)
