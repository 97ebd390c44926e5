"""What an executor's configuration can't be."""

from __future__ import annotations

from amem.errors import ConfigurationError
from eval.config import ExecutorConfig

NAMES = ("threads", "ray")


def check_executor(config: ExecutorConfig) -> None:
    """Raises ConfigurationError for what can't be."""
    if config.name not in NAMES:
        raise ConfigurationError(f"executor.name is {config.name!r}; known are {', '.join(NAMES)}")
    if config.workers < 1 or config.restarts < 0:
        raise ConfigurationError(
            f"executor.workers={config.workers}, executor.restarts={config.restarts}: at least 1 and 0 are needed"
        )
    if config.name == "threads" and (config.address is not None or config.runtime_env):
        raise ConfigurationError("executor.address and executor.runtime_env are Ray's: say executor=ray")
