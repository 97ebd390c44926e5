"""What an executor is handed, and what it must do with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from amem.errors import HarnessError
from amem.lm.types import ModelFailure
from eval.prepared import Prepared
from eval.runner.answers import AnswerKey
from eval.runner.unit import Unit


@dataclass(frozen=True, slots=True)
class Work:
    """Groups may be done in any order and side by side; the units of a group in order: they ask one memory."""

    prepared: Prepared
    groups: Sequence[Sequence[Unit]]

    @classmethod
    def of(cls, prepared: Prepared, units: Iterable[Unit]) -> Work:
        """Grouped by the memory that is asked, in the order in which answers are to be written."""
        groups: dict[str, list[Unit]] = {}
        for unit in units:
            groups.setdefault(str(unit.memory_path), []).append(unit)
        return cls(prepared, list(groups.values()))

    def steps(self) -> int:
        return sum(unit.steps() for group in self.groups for unit in group)


class Executor(Protocol):
    def run(self, work: Work, order: Sequence[AnswerKey]) -> int:
        """Do all units and leave answers.jsonl in `order`; raises HarnessError where the run has to stop. Returns the
        number of answers."""

    def calls(self) -> Mapping[str, Mapping[str, int]]:
        """By backbone: calls that reached the model, and replies served from the records, so far."""


def stopped(failure: ModelFailure) -> HarnessError:
    """What a run that ends by decision tells the user."""
    return HarnessError(
        f"stopped: {failure} ({failure.kind.value}). All answers so far are kept; the same command goes on from there"
    )
