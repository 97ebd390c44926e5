"""DialSim as JSON: `{"data": …, "oracle_tkg": …, "oracle_fan": …}` nested as the official pickles are.

Keys that start with "_" are ours: `_meta` may name `agent`, `name_map_shuffle` and `name_map_new_name` of a show that
is not one of the official three.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from amem.errors import DataError
from eval.datasets.fields import read_json
from eval.dialsim.kinds import ONLY_IN_V1_1
from eval.dialsim.objects import Show, ShowFacts
from eval.dialsim.oracles import Oracles
from eval.dialsim.parse import has_kind, parse_show
from eval.dialsim.shows import SHOWS


def load_json(path: Path | str, name: str | None = None) -> Show:
    """The show in `path`; its name is `name`, or else the file's.

    Raises DataError where the file is no JSON of that structure, names a key twice, or leaves the agent unknown.
    """
    path = Path(path)
    root, _ = read_json(path)
    content = root.of(dict)
    data = root.get("data").of(dict)
    oracles = Oracles(*(root.get(f).of(dict) if root.has(f) else None for f in ("oracle_tkg", "oracle_fan")))
    version = "v1.1" if has_kind(data, ONLY_IN_V1_1) else "v1.0"
    facts = _facts(name or path.stem, content, path)
    return Show(facts, str(path), version, lambda: parse_show(data, oracles, str(path)))


def _facts(name: str, content: Mapping[str, Any], path: Path) -> ShowFacts:
    if name in SHOWS:
        return SHOWS[name]
    meta = content.get("_meta")
    meta = meta if isinstance(meta, Mapping) else {}
    agent = meta.get("agent")
    if not isinstance(agent, str) or not agent:
        raise DataError(
            f"{path}, field '_meta.agent': '{name}' is not one of the official shows ({', '.join(SHOWS)}), "
            "so the file must say which character the agent plays"
        )
    maps = [meta.get(f"name_map_{mode}") or {} for mode in ("shuffle", "new_name")]
    for mode, names in zip(("shuffle", "new_name"), maps, strict=True):
        if not isinstance(names, Mapping) or not all(isinstance(new, str) and new for new in names.values()):
            raise DataError(f"{path}, field '_meta.name_map_{mode}': must map names to names")
    return ShowFacts(name, agent, *maps)
