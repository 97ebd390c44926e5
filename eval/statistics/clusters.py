"""What is drawn together: questions on one conversation share its memory, so they are not independent."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

CONVERSATION = "conversation"
QUESTION = "question"


def unit_of(frame: pd.DataFrame) -> str:
    """The unit to resample: the conversation, or the question where all are on one conversation."""
    return CONVERSATION if frame["conversation"].nunique() > 1 else QUESTION


def cluster_of(frame: pd.DataFrame, unit: str) -> pd.Series:
    """The cluster of each row; repeats of a question always stay together."""
    return frame["conversation"] if unit == CONVERSATION else frame["question_id"]
