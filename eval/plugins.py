"""Configurations that installed packages bring along, such as a memory method of somebody else's."""

from __future__ import annotations

from importlib.metadata import entry_points

from hydra.core.config_search_path import ConfigSearchPath
from hydra.core.plugins import Plugins
from hydra.plugins.search_path_plugin import SearchPathPlugin

GROUP = "amem.configs"
"""An entry point's value is a package that holds files as `configs/` does: `method/<name>.yaml`, …"""


class InstalledConfigs(SearchPathPlugin):
    """Found after our own, so that no package can replace what ships here without a word."""

    def manipulate_search_path(self, search_path: ConfigSearchPath) -> None:
        for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
            search_path.append(provider=f"entry point {point.name}", path=f"pkg://{point.value}")


def register_plugins() -> None:
    """Make Hydra look there too; doing so twice changes nothing."""
    Plugins.instance().register(InstalledConfigs)
