"""Units on the workers of a Ray cluster (https://docs.ray.io); the run's folder stays with the driver's node.

A task is a group of units: a backbone, a method and a conversation. Ray gives the task of a lost worker to another one,
which finds all replies that were paid for in the hub's records. Where the hub is lost, the run ends in one error. Where
Ray's own process on the driver's node (its raylet) is lost, Ray may end this process first, with code 1 and no word:
nothing in Python can hinder it, and the same command goes on then as well.
"""

from __future__ import annotations

import logging
import os
import socket
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from amem.errors import ConfigurationError, HarnessError
from amem.lm.ledger import Ledger, Totals
from eval.benchmarks import Benchmark
from eval.config import RunConfig
from eval.executors.hub import Hub
from eval.executors.site import GroupSpec, Site
from eval.executors.work import Work, stopped
from eval.runner import manifest
from eval.runner.answers import AnswerKey
from eval.runner.progress import Progress
from eval.runner.unit import RunStopped

POLL_SECONDS = 1.0
STOP_SECONDS = 60.0
"""What calls in flight get to end in before their workers are ended."""
HUB_THREADS = 16
CONNECT_SECONDS = 10.0

_sites: dict[str, Site] = {}
"""Of this worker process, by run."""


class Gathered(Ledger):
    """A backbone's ledger as the hub last told it."""

    def __init__(self) -> None:
        super().__init__()
        self.now: dict[str, Totals] = {}

    def by_purpose(self) -> dict[str, Totals]:
        return self.now


class OnRay:
    """Connects to the cluster at `executor.address` (`auto`: the one this machine is part of; None: its own)."""

    def __init__(self, work: Work) -> None:
        self._ledgers = {name: Gathered() for name in work.prepared.config.backbones}

    def run(self, work: Work, order: Sequence[AnswerKey]) -> int:
        ray = _connected(work.prepared.config)
        try:
            with _loss_in_words(ray):
                return self._do_all(ray, _hub(ray, work), work, order)
        finally:
            # Else the next run of this process could not connect.
            ray.shutdown()

    def calls(self) -> Mapping[str, Mapping[str, int]]:
        return {name: manifest.calls_made(ledger) for name, ledger in self._ledgers.items()}

    def _do_all(self, ray: Any, hub: Any, work: Work, order: Sequence[AnswerKey]) -> int:
        try:
            with Progress(work.steps(), list(self._ledgers.values())) as progress:
                self._watch(ray, hub, _tasks(ray, hub, work), progress)
            return ray.get(hub.finish.remote([tuple(key) for key in order]))
        finally:
            self._close(ray, hub)

    def _close(self, ray: Any, hub: Any) -> None:
        """A lost hub has nothing left to tell or to close; what it told before stays."""
        try:
            self._gather(ray.get(hub.so_far.remote(), timeout=STOP_SECONDS)[1])
            ray.get(hub.close.remote(), timeout=STOP_SECONDS)
            ray.kill(hub)
        except ray.exceptions.RayError as error:
            if not _is_loss(ray, error):
                raise

    def _watch(self, ray: Any, hub: Any, tasks: list[Any], progress: Progress) -> None:
        left, shown = list(tasks), 0
        try:
            while left:
                done, left = ray.wait(left, timeout=POLL_SECONDS)
                steps, ledgers = ray.get(hub.so_far.remote())
                progress.step(steps - shown)
                shown = steps
                self._gather(ledgers)
                for task in done:
                    _check(ray, task)
        except BaseException:
            _cancel(ray, left)
            raise

    def _gather(self, ledgers: Mapping[str, dict[str, Totals]]) -> None:
        for name, totals in ledgers.items():
            self._ledgers[name].now = totals


@contextmanager
def _loss_in_words(ray: Any) -> Iterator[None]:
    try:
        yield
    except ray.exceptions.RayError as error:
        if not _is_loss(ray, error):
            raise
        raise HarnessError(
            "the run's hub (the process ray::Hub that writes its records and answers) or its cluster was lost "
            f"({type(error).__name__}); answers and replies so far are kept, and the same command goes on from there"
        ) from error


def _is_loss(ray: Any, error: Exception) -> bool:
    """Whether a process or the cluster is gone; else an error of our own code came back through Ray."""
    if isinstance(error, ray.exceptions.RayTaskError):
        return isinstance(error.cause, ray.exceptions.RayError)
    return True


def _connected(config: RunConfig) -> Any:
    try:
        import ray
    except ImportError as error:
        raise ConfigurationError("executor=ray needs Ray: `make extras EXTRAS=ray`, or pip install ray") from error
    address = config.executor.address
    if address not in (None, "auto"):
        _reachable(address)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        ray.init(
            address=address,
            namespace="amem",
            runtime_env=config.executor.runtime_env or None,
            include_dashboard=False if address is None else None,
            log_to_driver=config.executor.show_workers,
            logging_level=logging.WARNING,
        )
    except ConnectionError as error:
        raise _nobody(address, error) from error
    return ray


def _reachable(address: str) -> None:
    """Ray itself would go on trying for minutes."""
    host, _, port = address.partition("://")[-1 if "://" in address else 0].rpartition(":")
    try:
        with socket.create_connection((host, int(port)), timeout=CONNECT_SECONDS):
            pass
    except (OSError, ValueError) as error:
        raise _nobody(address, error) from error


def _nobody(address: str | None, error: Exception) -> ConfigurationError:
    return ConfigurationError(
        f"executor.address={address}: no Ray cluster answers there ({error}); start one with `ray start --head`, or "
        "leave the address out"
    )


def _hub(ray: Any, work: Work) -> Any:
    """On the driver's node: it is that node's disk that the run is written to."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    prepared = work.prepared
    here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
    made = ray.remote(Hub).options(num_cpus=0, max_concurrency=HUB_THREADS, scheduling_strategy=here)
    folder, records = prepared.folder.resolve(), Path(str(prepared.store.path)).resolve()
    return made.remote(str(folder), str(records), prepared.config.budget.usd)


def _tasks(ray: Any, hub: Any, work: Work) -> list[Any]:
    config = work.prepared.config
    options = {"num_cpus": config.executor.cpus, "max_retries": config.executor.restarts, "retry_exceptions": False}
    task = ray.remote(_do).options(**options)
    shared = ray.put((uuid.uuid4().hex, asdict(config), work.prepared.facts, work.prepared.benchmark))
    return [task.remote(shared, hub, GroupSpec.of(group, work.prepared.folder)) for group in work.groups]


def _do(shared: tuple[str, dict[str, Any], dict[str, Any], Benchmark], hub: Any, spec: GroupSpec) -> str | None:
    """A task: what stopped the run, in words, or None."""
    import ray

    run, plain, facts, benchmark = shared
    try:
        if run not in _sites:
            _sites[run] = Site(_typed(plain), facts, lambda name, *given: ray.get(getattr(hub, name).remote(*given)))
        _sites[run].do(benchmark, spec)
    except RunStopped as error:
        return str(stopped(error.failure))
    except HarnessError as error:
        return f"{spec.memory}: {error}"
    return None


def _typed(plain: dict[str, Any]) -> RunConfig:
    from omegaconf import OmegaConf

    return OmegaConf.to_object(OmegaConf.merge(OmegaConf.structured(RunConfig), plain))  # type: ignore[return-value]


def _check(ray: Any, task: Any) -> None:
    try:
        problem = ray.get(task)
    except ray.exceptions.RayTaskError as error:
        raise error.as_instanceof_cause() from error
    except ray.exceptions.RayError as error:
        raise HarnessError(
            f"a unit's worker was lost more often than executor.restarts allows ({type(error).__name__}); all answers "
            "so far are kept, and the same command goes on from there"
        ) from error
    if problem is not None:
        raise HarnessError(problem)


def _cancel(ray: Any, tasks: list[Any]) -> None:
    """Calls in flight may end and be recorded; nothing more is sent."""
    for task in tasks:
        ray.cancel(task, force=False)
    ray.wait(tasks, num_returns=len(tasks), timeout=STOP_SECONDS) if tasks else None
