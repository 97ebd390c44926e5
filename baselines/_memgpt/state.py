"""All that a MemGPT agent remembers, as one value that can be forked, stored and restored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from baselines._memgpt.archival_storage import ArchivalStorage
from baselines._memgpt.core_memory import CoreMemory
from baselines._memgpt.entries import Entry
from baselines._memgpt.queue import MessageQueue, Summary
from baselines._memgpt.recall_storage import RecallStorage


@dataclass(slots=True)
class AgentState:
    core: CoreMemory
    queue: MessageQueue
    recall: RecallStorage
    archival: ArchivalStorage
    warned: bool = False
    """The memory-pressure warning was given since the last eviction."""

    def fork(self) -> AgentState:
        """A copy to work on; what happens to it never reaches this one."""
        return AgentState(self.core.copy(), self.queue.copy(), self.recall.copy(), self.archival.fork(), self.warned)

    def to_json(self) -> dict[str, Any]:
        return {
            "core": self.core.to_json(),
            "queue": self.queue.to_json(),
            "recall": [entry.to_json() for entry in self.recall.entries],
            "archival": self.archival.to_json(),
            "warned": self.warned,
        }

    @classmethod
    def from_json(
        cls, state: Mapping[str, Any], vectors: np.ndarray, *, block_chars: int, dimension: int
    ) -> AgentState:
        recall = RecallStorage(Entry.from_json(entry) for entry in state["recall"])
        queue = state["queue"]
        return cls(
            CoreMemory(state["core"], block_chars),
            MessageQueue([recall[id_] for id_ in queue["entries"]], Summary.from_json(queue["summary"])),
            recall,
            ArchivalStorage.from_json(state["archival"], vectors, dimension),
            state["warned"],
        )
