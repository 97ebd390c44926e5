"""The executor that a configuration names."""

from __future__ import annotations

from amem.errors import ConfigurationError
from eval.config import ExecutorConfig
from eval.executors.work import Executor, Work

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


def executor_for(work: Work) -> Executor:
    """Ray is imported only where it is asked for."""
    if work.prepared.config.executor.name == "ray":
        from eval.executors.on_ray import OnRay

        return OnRay(work)
    from eval.executors.threads import Threads

    return Threads(work)
