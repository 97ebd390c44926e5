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
                data=f"{data['name']} ({data['description']})",
                is_sample=data["is_sample"],
                comparable=data["comparable"],
                backbones=_named(config["backbones"]),
                methods=_named(config["methods"]),
                prompts={name: f"{pack['name']} {pack['hash'][:8]}" for name, pack in manifest["prompts"].items()},
                settings=f"retrieve k={config['retrieve']['k']}, link k={config['link']['k']}",
                seeds=tuple(manifest["seeds"]),
                run=manifest["key"],
            )
        except (KeyError, TypeError) as error:
            raise ResultsError(f"the manifest lacks {error}; it is not one of this harness") from error

    def backbone(self, name: str) -> Named:
        return self.backbones.get(name) or Named(name)

    def method(self, name: str) -> Named:
        return self.methods.get(name) or Named(name)


def _named(group: Mapping[str, Mapping[str, Any]]) -> dict[str, Named]:
    return {name: Named(e["label"], e.get("paper_row"), e.get("paper_nearest")) for name, e in group.items()}
