"""Prompt packs by the name that a configuration uses."""

from __future__ import annotations

from pathlib import Path

from amem.errors import ConfigurationError
from amem.prompting.pack import PromptPack
from eval.composition import CONFIGS


def load_pack(name_or_folder: str) -> PromptPack:
    """A pack of configs/prompts by name, or any folder that holds a pack."""
    shipped = CONFIGS / "prompts"
    for folder in (shipped / name_or_folder, Path(name_or_folder)):
        if (folder / "pack.yaml").is_file():
            return PromptPack(folder, shipped=shipped)
    names = sorted(path.parent.name for path in shipped.glob("*/pack.yaml"))
    raise ConfigurationError(
        f"prompts.folder: no prompt pack {name_or_folder!r}; shipped are {', '.join(names)}, "
        "or give a folder that holds a pack.yaml"
    )
