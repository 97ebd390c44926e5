"""The executor that a configuration names."""

from __future__ import annotations

from eval.executors.work import Executor, Work


def executor_for(work: Work) -> Executor:
    """Ray is imported only where it is asked for."""
    if work.prepared.config.executor.name == "ray":
        from eval.executors.on_ray import OnRay

        return OnRay(work)
    from eval.executors.threads import Threads

    return Threads(work)
