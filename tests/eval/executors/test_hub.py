"""The hub and what workers have in its place, without a cluster: lost workers give back what they held."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from amem.errors import ConfigurationError, HarnessError
from amem.lm import outcomes
from amem.lm.ledger import Call
from amem.lm.types import ModelFailure, Reply, Usage
from eval.composition import compose
from eval.executors.hub import Hub
from eval.executors.remote import Held, RemoteAnswers, RemoteBudget, RemoteLedger, RemoteProgress, RemoteStore, ToHub
from tests.eval.scoring.made_answers import answer


def hub_in(folder: Path, usd: float | None = None) -> Hub:
    return Hub(str(folder / "run"), str(folder / "records.sqlite"), usd)


def to(hub: Hub) -> ToHub:
    return lambda method, *arguments: getattr(hub, method)(*arguments)


def held(group: str, number: int = 1) -> Held:
    found = Held()
    found.group, found.number = group, number
    return found


def test_a_reply_that_one_worker_recorded_is_there_for_all(tmp_path: Path) -> None:
    hub = hub_in(tmp_path)
    stores = [RemoteStore(to(hub), held(group)) for group in ("a", "b")]
    reply = Reply("yes", Usage(3, 2), 0.5)
    stores[0].put("k", "{}", "p", reply)
    assert stores[1].get("k") == reply
    assert stores[1].get("other") is None


def test_two_workers_that_ask_the_same_go_one_after_the_other(tmp_path: Path) -> None:
    hub = hub_in(tmp_path)
    for group in ("a", "b"):
        hub.begin(group, {})
    inside = threading.Event()
    order: list[str] = []

    def ask(group: str) -> None:
        with RemoteStore(to(hub), held(group)).single_flight("k"):
            order.append(f"{group} in")
            inside.wait(0.3)
            order.append(f"{group} out")

    threads = [threading.Thread(target=ask, args=(group,)) for group in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [entry.split()[1] for entry in order] == ["in", "out", "in", "out"]


def test_a_lost_worker_blocks_nobody(tmp_path: Path) -> None:
    hub = hub_in(tmp_path)
    hub.begin("a", {})
    hub.begin("b", {})
    assert hub.enter("a", 1, "k") and not hub.enter("b", 1, "k")
    hub.begin("a", {})
    assert hub.enter("b", 1, "k")
    assert hub.begun() == {"a": 2, "b": 1}


def test_a_worker_that_was_taken_for_lost_and_still_runs_asks_nothing_more(tmp_path: Path) -> None:
    hub = hub_in(tmp_path, usd=1.0)
    hub.begin("a", {})
    assert hub.enter("a", 1, "under way")
    hub.begin("a", {})
    assert hub.enter("a", 2, "under way")
    hub.leave("a", 1, "under way")
    hub.step("a", 1, 5)
    assert not hub.enter("a", 2, "under way"), "the lost worker's leaving took the other's place away"
    assert hub.so_far()[0] == 0
    for ask in (lambda: hub.enter("a", 1, "next"), lambda: hub.set_aside("a", 1, "next", 0.9)):
        with pytest.raises(HarnessError, match="taken for lost"):
            ask()
    assert hub.set_aside("a", 2, "next", 0.9) is True
    hub.put("under way", "{}", "p", outcomes.to_json(Reply("paid", Usage(3, 2), 0.5)))
    assert hub.get("under way") is not None


def test_the_budget_holds_over_all_workers_and_over_lost_ones(tmp_path: Path) -> None:
    hub = hub_in(tmp_path, usd=1.0)
    for group in ("a", "b"):
        hub.begin(group, {})
    with RemoteBudget(to(hub), held("a")).reserve(0.5) as costs:
        costs.append(0.25)
    assert hub.set_aside("a", 1, "lost", 0.5) is True
    assert hub.set_aside("b", 1, "waits", 0.5) is False
    hub.begin("a", {})
    used_up = pytest.raises(ModelFailure, match=r"budget of 1 USD is used up: 0\.7500 spent")
    with used_up, RemoteBudget(to(hub), held("b")).reserve(0.5):
        raise AssertionError("the budget let a call through")


def test_steps_of_a_lost_attempt_are_not_counted_twice(tmp_path: Path) -> None:
    hub = hub_in(tmp_path)
    for number in (1, 2):
        hub.begin("a", {})
        progress = RemoteProgress(to(hub), held("a", number))
        progress.step(3)
        progress.flush()
    assert hub.so_far()[0] == 3


def test_calls_are_gathered_by_backbone(tmp_path: Path) -> None:
    hub = hub_in(tmp_path)
    call = Call("p", 10, 5, 0, 0.1, 0.01, "k", False, attempts=1)
    for _ in range(2):
        RemoteLedger(to(hub), "tiny").add(call)
    totals = hub.so_far()[1]["tiny"]["p"]
    assert (totals.made, totals.prompt_tokens) == (2, 20)


def test_answers_are_on_the_hubs_disk_and_known_to_the_next_worker(tmp_path: Path) -> None:
    hub = hub_in(tmp_path)
    row: dict[str, Any] = answer(recall={"text_hash": "2fcb1a5cb4b1b8ae", "tokens": 1, "sources": [], "trace": {}})
    RemoteAnswers(to(hub), []).append({**row, "recall": None}, None)
    assert (tmp_path / "run" / "answers.jsonl").read_text().count("\n") == 1
    again = RemoteAnswers(to(hub), hub.begin("a", {"backbone": "tiny", "conversation": "conv-1"})[1])
    key = ("tiny", "amem", "conv-1/1", 0)
    assert again.reusable(key, "m0") and not again.reusable(key, "another memory")
    assert hub.begin("a", {"conversation": "conv-2"}) == (2, [])


def test_memories_travel_and_stay_inside_the_run(tmp_path: Path) -> None:
    hub = hub_in(tmp_path)
    files = {".npz": b"arrays", ".json": b"{}"}
    hub.keep_memory("tiny/amem/conv-1", files)
    assert hub.memory("tiny/amem/conv-1") == files
    assert hub.memory("tiny/amem/conv-2") == {}
    with pytest.raises(HarnessError, match="outside"):
        hub.keep_memory("../../elsewhere", files)


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        (["executor.name=slurm"], "known are threads, ray"),
        (["executor.address=auto"], "say executor=ray"),
        (["executor=ray", "executor.restarts=-1"], "at least"),
        (["executor=ray", "executor.adress=auto"], "did you mean address"),
    ],
)
def test_an_executor_that_can_not_be_is_refused(overrides: list[str], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        compose(overrides)
