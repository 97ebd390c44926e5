"""A sweep over k is rows of one run, and they ask one memory."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path

import pytest

from amem.agentic import AMem
from amem.contract import MemoryMethod
from amem.errors import ConfigurationError
from amem.lm.providers.from_schema import reply_to
from baselines.rag import Rag
from eval.composition import compose
from eval.prepared import prepare
from eval.run import execute
from eval.runner.build import Builder
from eval.scaling.stores import session_of
from tests.support import tools_for

SAMPLE = ["dataset=sample", "dataset.conversations=[0]", "dataset.sessions=1", "dataset.questions=1"]


def test_a_row_a_method_and_k_and_one_for_a_method_that_k_does_not_reach() -> None:
    methods = compose(["experiment=ksweep", "method=[amem,locomo]", "retrieve.sweep=[3,7]"]).methods
    assert list(methods) == ["amem@k3", "amem@k7", "locomo"]
    assert [methods[name].settings["retrieve_k"] for name in ("amem@k3", "amem@k7")] == [3, 7]
    assert methods["amem@k7"].label == "A-Mem, k = 7"
    assert methods["amem@k7"].swept is not None and methods["amem@k7"].swept.memory == "amem@k3"


def test_dialsim_asks_while_it_builds_so_no_memory_is_shared() -> None:
    methods = compose(["dataset=dialsim_sample", "method=[amem]", "retrieve.sweep=[3,7]"]).methods
    assert [method.swept.memory for method in methods.values() if method.swept] == list(methods)


@pytest.mark.parametrize("values", ["[]", "[10,10]", "[0,10]"])
def test_a_sweep_over_nothing_or_the_same_twice_is_refused(values: str) -> None:
    with pytest.raises(ConfigurationError, match="different numbers"):
        compose([f"retrieve.sweep={values}"])


def test_the_memory_is_built_once_and_asked_at_every_k(tmp_path: Path) -> None:
    def done(folder: Path, *overrides: str) -> tuple[list[dict], int, list[str]]:
        base = [*SAMPLE, "backbone=[scripted]", "link.k=2", f"results_dir={folder}"]
        with ExitStack() as stack:
            prepared = prepare(compose([*base, *overrides]), stack)
            execute(prepared)
            rows = [json.loads(line) for line in (prepared.folder / "answers.jsonl").read_text().splitlines()]
            built = sum(total.made for name, total in prepared.models["scripted", 0].ledger.by_purpose().items()
                        if not name.startswith("answer"))  # fmt: skip
            return rows, built, sorted(path.name for path in prepared.folder.glob("memory/scripted/*"))

    _, alone, _ = done(tmp_path / "one", "retrieve.k=5")
    rows, built, folders = done(tmp_path / "sweep", "retrieve.sweep=[1,5]")
    assert built == alone
    assert folders == ["amem@k1"]
    assert len({row["memory"] for row in rows}) == 1
    by_k = {k: [row["recall"]["tokens"] for row in rows if row["method"] == f"amem@k{k}"] for k in (1, 5)}
    assert sum(by_k[1]) < sum(by_k[5])


OTHER_VALUES = {
    AMem: {"retrieve_k": 1, "k_by_category": {"single_hop": 2}, "query": "keywords", "link_direction": "out",
           "link_cap": "off", "linked_notes": 1, "linked_once": False},
    Rag: {"k": 1, "dated": False, "answer_reserve_tokens": 7},
}  # fmt: skip


@pytest.mark.parametrize(
    ("method", "setting"), [(method, name) for method in OTHER_VALUES for name in sorted(method.recall_settings)]
)
def test_a_recall_setting_changes_nothing_of_the_memory(method: type[MemoryMethod], setting: str) -> None:
    name = {AMem: "amem", Rag: "rag"}[method]
    config = compose([f"method=[{name}]", "backbone=[scripted]", "link.k=2"]).methods[name]
    talk = [session_of(1, ["I bought a red kite.", "Where?"]), session_of(2, ["The red kite flew.", "High?"])]

    def memory(settings: dict) -> MemoryMethod:
        built = Builder(name, type(config)(config._target_, config.label, settings=settings))(tools_for(reply_to))
        for session in talk:
            built.ingest(session)
        return built

    usual, other = memory(config.settings), memory({**config.settings, setting: OTHER_VALUES[method][setting]})
    assert getattr(usual.settings, setting) != getattr(other.settings, setting)
    assert usual.snapshot().state == other.snapshot().state


def test_every_recall_setting_is_a_setting() -> None:
    for method in OTHER_VALUES:
        assert set(OTHER_VALUES[method]) == method.recall_settings <= set(method.Settings.__dataclass_fields__)
