"""A run on a Ray cluster of several node processes on this machine."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from amem.errors import HarnessError
from eval.composition import compose
from eval.executors import on_ray as on_ray_module
from eval.prepared import prepare
from eval.run import execute

ray = pytest.importorskip("ray", reason="Ray is an optional package")
from ray.cluster_utils import Cluster  # noqa: E402

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[3]
SLICE = ["dataset=sample", "dataset.sessions=1", "dataset.questions=1", "method=[amem,locomo]", "link.k=2",
         "retrieve.k=3", "backbone=[scripted]"]  # fmt: skip
STORE_BYTES = 80 * 2**20


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    """A head that does no unit and two nodes of one core; they see at once that a node is lost."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    quick = {"health_check_initial_delay_ms": 500, "health_check_period_ms": 500, "health_check_failure_threshold": 3}
    head = {"num_cpus": 0, "object_store_memory": STORE_BYTES, "_system_config": quick, "include_dashboard": False}
    made = Cluster(initialize_head=True, head_node_args=head)
    try:
        for _ in range(2):
            made.add_node(num_cpus=1, object_store_memory=STORE_BYTES)
        yield made
    finally:
        ray.shutdown()
        made.shutdown()


def counted(folder: Path, *, latency: float = 0.0) -> list[str]:
    settings = "backbones.scripted.settings"
    return [
        "backbones.scripted._target_=tests.eval.executors.counted.CountedProvider",
        f"~{settings}.window",
        f"+{settings}.log={folder / 'calls.log'}",
        f"{settings}.latency={latency}",
        f"results_dir={folder}",
    ]


def done(*overrides: str) -> Path:
    with ExitStack() as stack:
        prepared = prepare(compose([*SLICE, *overrides]), stack)
        execute(prepared)
    return prepared.folder


def on_ray(cluster: Cluster, *overrides: str) -> Path:
    return done("executor=ray", f"executor.address={cluster.address}", *overrides)


def sent(folder: Path) -> Counter[str]:
    return Counter(line.split()[0] for line in (folder / "calls.log").read_text().splitlines())


def results(folder: Path) -> dict[str, Any]:
    """All that a run leaves but its manifest, without the measured seconds of calls."""
    rows = [json.loads(line) for line in (folder / "answers.jsonl").read_text().splitlines()]
    for row in rows:
        for call in row["calls"]:
            del call["seconds"]
    paths = sorted(folder.glob("memory/*/*/*.json"))
    memories = {path.relative_to(folder).as_posix(): json.loads(path.read_text())["hash"] for path in paths}
    return {"rows": rows, "memories": memories, "recalls": (folder / "recalls.jsonl").read_bytes()}


def test_the_same_bytes_as_on_one_machine_and_the_same_calls(tmp_path: Path, cluster: Cluster) -> None:
    here = done(*counted(tmp_path / "here"))
    there = on_ray(cluster, *counted(tmp_path / "there"))
    assert (there / "answers.jsonl").read_bytes() == (here / "answers.jsonl").read_bytes()
    assert results(there) == results(here)
    assert sent(tmp_path / "there") == sent(tmp_path / "here")
    (start,) = json.loads((there / "manifest.json").read_text())["starts"]
    assert start["calls"]["scripted"]["made"] == sum(sent(tmp_path / "there").values())


def test_a_unit_whose_node_is_killed_is_done_elsewhere_and_no_recorded_call_is_made_again(
    tmp_path: Path, cluster: Cluster
) -> None:
    here = done(*counted(tmp_path / "here", latency=0.05))
    recorded: set[str] = set()

    def kill_a_node() -> None:
        log = tmp_path / "there" / "calls.log"
        while not log.exists() or log.read_text().count("\n") < 30:
            time.sleep(0.05)
        from amem.lm.records import RecordStore

        node = next(node for node in cluster.worker_nodes)
        with RecordStore(tmp_path / "there" / "records.sqlite") as store:
            recorded.update(key for key in sent(tmp_path / "there") if store.get(key) is not None)
        cluster.remove_node(node, allow_graceful=False)

    killer = threading.Thread(target=kill_a_node)
    killer.start()
    there = on_ray(cluster, *counted(tmp_path / "there", latency=0.3))
    killer.join()
    assert results(there) == results(here)
    again = {key: times for key, times in sent(tmp_path / "there").items() if times > 1}
    assert recorded and not set(again) & recorded
    # What was in flight on the node can't be known to have been answered: at most what it may have under way.
    assert len(again) <= compose(SLICE).backbones["scripted"].concurrency
    assert set(sent(tmp_path / "there")) == set(sent(tmp_path / "here"))


def wait_for_calls(log: Path, number: int) -> None:
    until = time.monotonic() + 120
    while time.monotonic() < until and (not log.exists() or log.read_text().count("\n") < number):
        time.sleep(0.05)


def test_a_killed_hub_ends_the_run_in_one_error_and_the_same_command_goes_on(
    tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = on_ray_module._hub
    killers: list[threading.Thread] = []

    def killed_later(ray_: Any, work: Any) -> Any:
        hub = made(ray_, work)
        pid = ray.get(hub.__ray_call__.remote(lambda _: os.getpid()))

        def kill() -> None:
            wait_for_calls(tmp_path / "there" / "calls.log", 20)
            os.kill(pid, signal.SIGKILL)

        killers.append(threading.Thread(target=kill))
        killers[0].start()
        return hub

    monkeypatch.setattr(on_ray_module, "_hub", killed_later)
    with pytest.raises(HarnessError, match=r"hub .* was lost .* are kept, and the same command goes on"):
        on_ray(cluster, *counted(tmp_path / "there", latency=0.05))
    killers[0].join()
    assert not ray.is_initialized()
    monkeypatch.setattr(on_ray_module, "_hub", made)
    assert results(on_ray(cluster, *counted(tmp_path / "there"))) == results(done(*counted(tmp_path / "here")))


def test_the_budget_stops_all_workers(tmp_path: Path, cluster: Cluster) -> None:
    priced = ["backbones.scripted.prices.input_per_million=1000", "backbones.scripted.prices.output_per_million=1000"]
    with pytest.raises(HarnessError, match="budget of 30 USD is used up"):
        on_ray(cluster, *counted(tmp_path), *priced, "budget.usd=30")
    (folder,) = tmp_path.glob("run-*")
    starts = json.loads((folder / "manifest.json").read_text())["starts"]
    assert "finished" not in starts[-1] and starts[-1]["calls"]["scripted"]["made"] > 0


def test_an_address_where_no_cluster_is_says_so(tmp_path: Path) -> None:
    os.environ.pop("RAY_ADDRESS", None)
    with pytest.raises(HarnessError, match="no Ray cluster answers"):
        done("executor=ray", "executor.address=127.0.0.1:1", f"results_dir={tmp_path}")
