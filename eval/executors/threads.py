"""Units side by side on threads of this process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

from eval.executors.work import Work, stopped
from eval.runner import manifest
from eval.runner.answers import AnswerFile, AnswerKey
from eval.runner.progress import Progress
from eval.runner.unit import RunStopped, Unit


class Threads:
    """As many groups and questions at once as the configuration's `executor.workers`."""

    def __init__(self, work: Work) -> None:
        self._ledgers = {name: model.ledger for (name, _), model in work.prepared.models.items()}

    def run(self, work: Work, order: Sequence[AnswerKey]) -> int:
        prepared = work.prepared
        answers = AnswerFile(prepared.folder)
        workers = prepared.config.executor.workers
        with (
            Progress(work.steps(), list(self._ledgers.values())) as progress,
            ThreadPoolExecutor(workers, "unit") as unit_pool,
            ThreadPoolExecutor(_askers(work), "question") as questions,
        ):

            def do(group: Sequence[Unit]) -> None:
                for unit in group:
                    prepared.benchmark.do(unit, answers, questions, progress)

            try:
                _wait([unit_pool.submit(copy_context().run, do, group) for group in work.groups])
            except BaseException:
                # Units under way would go on to the end of their conversation before the pools let go.
                for model in prepared.models.values():
                    model.stop()
                raise
        return len(answers.finish(order))

    def calls(self) -> Mapping[str, Mapping[str, int]]:
        return {name: manifest.calls_made(ledger) for name, ledger in self._ledgers.items()}


def _askers(work: Work) -> int:
    """Questions under way at once: more than the models take would crowd out the building of memories, which is the
    longest chain of calls and should never wait for a question."""
    slots = {name: model.concurrency for (name, _), model in work.prepared.models.items()}
    return min(work.prepared.config.executor.workers, sum(slots.values()))


def _wait(futures: Sequence[Future[Any]]) -> None:
    try:
        for future in futures:
            future.result()
    except BaseException as error:
        for future in futures:
            future.cancel()
        if isinstance(error, RunStopped):
            raise stopped(error.failure) from error
        raise
