"""From a method's configuration to fresh instances of it."""

from __future__ import annotations

from amem.contract import MemoryMethod, Tools
from eval.composition import method_settings, resolve_class
from eval.config import MethodConfig


class Builder:
    """Makes a fresh instance of a configured method; raises ConfigurationError for wrong settings when it is made."""

    def __init__(self, name: str, method: MethodConfig) -> None:
        self._class = resolve_class(method._target_)
        self._settings = method_settings(f"methods.{name}", method._target_, method.settings)

    def __call__(self, tools: Tools) -> MemoryMethod:
        return self._class(self._settings, tools)
