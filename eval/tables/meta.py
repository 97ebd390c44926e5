"""What a table must say of its run, read from the manifest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from amem.errors import ResultsError


@dataclass(frozen=True, slots=True)
class Named:
    """A backbone or method: its name in tables, and its row in the published table."""

    label: str
    paper_row: str | None = None
    paper_nearest: str | None = None
    """A backbone's stand-in in the published table, for orientation only."""
    family: str | None = None
    """Of a row of a k-sweep: the method that it was made from."""
    k: int | None = None
    memory: str | None = None
    """Of such a row: the row under whose name the memory is kept."""


@dataclass(frozen=True, slots=True)
class RunMeta:
    """A table of a run without a manifest has empty mappings: names then stand for labels, and no paper's rows."""

    data: str
    """The data set's name and extent."""
    is_sample: bool
    """Own sample data: no figure may stand beside the paper's."""
    comparable: bool
    """The published data, whole or a slice of it."""
    backbones: Mapping[str, Named]
    methods: Mapping[str, Named]
    prompts: Mapping[str, str]
    """Prompt pack by backbone."""
    settings: str = ""
    """k and the like, in words."""
    seeds: tuple[int, ...] = ()
    run: str = ""
    """The run's key."""

    @classmethod
    def from_manifest(cls, manifest: Mapping[str, Any]) -> RunMeta:
        """Raises `ResultsError` for a manifest of another kind."""
        try:
            config, data = manifest["config"], manifest["data"]
            return cls(
                data=_unfinished(manifest) + f"{data['name']} ({data['description']})",
                is_sample=data["is_sample"],
                comparable=data["comparable"],
                backbones=_named(config["backbones"]),
                methods=_named(config["methods"]),
                prompts={name: f"{pack['name']} {pack['hash'][:8]}" for name, pack in manifest["prompts"].items()},
                settings=f"retrieve k={_retrieved(config['retrieve'])}, link k={config['link']['k']}",
                seeds=tuple(manifest["seeds"]),
                run=manifest["key"],
            )
        except (KeyError, TypeError) as error:
            raise ResultsError(f"the manifest lacks {error}; it is not one of this harness") from error

    def backbone(self, name: str) -> Named:
        return self.backbones.get(name) or Named(name)

    def method(self, name: str) -> Named:
        return self.methods.get(name) or Named(name)

    def shared_memories(self) -> dict[str, str]:
        """The method under whose name a method's memory is kept, where that is another."""
        return {name: named.memory for name, named in self.methods.items() if named.memory is not None}

    def sweeps(self) -> dict[str, dict[int, str]]:
        """The rows of each swept method, by k."""
        found: dict[str, dict[int, str]] = {}
        for name, named in self.methods.items():
            if named.family is not None and named.k is not None:
                found.setdefault(named.family, {})[named.k] = name
        return found


def _unfinished(manifest: Mapping[str, Any]) -> str:
    """What `read_run` found missing stands before all else that a caption says."""
    return f"UNFINISHED RUN, {manifest['unfinished']} so far: " if "unfinished" in manifest else ""


def _retrieved(config: Mapping[str, Any]) -> str:
    return ", ".join(map(str, config.get("sweep") or [config["k"]]))


def _named(group: Mapping[str, Mapping[str, Any]]) -> dict[str, Named]:
    return {
        name: Named(entry["label"], entry.get("paper_row"), entry.get("paper_nearest"), **_swept(entry))
        for name, entry in group.items()
    }


def _swept(entry: Mapping[str, Any]) -> dict[str, Any]:
    swept = entry.get("swept")
    return {name: swept[name] for name in ("family", "k", "memory")} if swept else {}
