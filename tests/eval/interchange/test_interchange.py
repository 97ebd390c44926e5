"""A run in the formats of others says what the run says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from amem.errors import ConfigurationError
from eval.config import TrackingConfig
from eval.interchange.hub_dataset import write_dataset
from eval.interchange.inspect_log import write_inspect_logs
from eval.interchange.tracking import check_tracking, flat, means, track
from tests.eval.report.made_run import made_run


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_run(tmp_path_factory.mktemp("interchange"))


@pytest.fixture(scope="module")
def rows(run_folder: Path) -> list[dict]:
    return [json.loads(line) for line in (run_folder / "answers.jsonl").read_text("utf-8").split("\n") if line]


@pytest.mark.slow
def test_a_data_set_holds_every_answer(run_folder: Path, rows: list[dict], tmp_path: Path):
    datasets = pytest.importorskip("datasets")
    made = datasets.load_from_disk(str(write_dataset(run_folder, tmp_path / "data")))
    assert made["prediction"][:] == [row["prediction"] for row in rows]
    assert made[0]["recalled_text"] and json.loads(made[0]["trace"]) == rows[0]["recall"]["trace"]
    assert made.info.license == "CC0 1.0 (written for this project)"


@pytest.mark.slow
def test_inspect_reads_the_logs_with_prompts_and_scores(run_folder: Path, rows: list[dict], tmp_path: Path):
    log = pytest.importorskip("inspect_ai.log", reason="make extras EXTRAS=inspect")
    written = write_inspect_logs(run_folder, tmp_path)
    assert [path.name for path in written] == ["scripted_amem.eval", "scripted_rag.eval"]
    read = log.read_eval_log(str(written[0]))
    own = [row for row in rows if row["method"] == "amem"]
    assert (read.status, read.eval.model, read.results.completed_samples) == ("success", "scripted", len(own))
    by_id = {sample.id: sample for sample in read.samples}
    assert {key: sample.output.completion for key, sample in by_id.items()} == {
        row["question_id"]: row["prediction"] for row in own
    }
    assert [message.role for message in by_id[own[1]["question_id"]].messages] == ["system", "user", "assistant"]


@pytest.mark.slow
def test_mlflow_is_told_the_means_and_the_tables(run_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("mlflow", reason="make extras EXTRAS=mlflow")
    from mlflow.tracking import MlflowClient

    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.chdir(tmp_path)
    uri = (tmp_path / "store").as_uri()
    track(run_folder, TrackingConfig("mlflow", uri, "tested"))
    client = MlflowClient(uri)
    (logged,) = client.search_runs([client.get_experiment_by_name("tested").experiment_id])
    assert logged.data.metrics == pytest.approx(means(run_folder))
    assert logged.data.params["retrieve.k"] == "3"
    assert {"manifest.json", "table.csv"} <= {entry.path for entry in client.list_artifacts(logged.info.run_id)}


def test_an_unknown_tracker_is_refused():
    with pytest.raises(ConfigurationError, match="known are none, mlflow, wandb"):
        check_tracking(TrackingConfig("mlfow"))


def test_settings_are_named_by_their_place():
    assert flat({"a": {"b": 1, "c": {}}, "d": [2]}) == [("a.b", 1), ("d", [2])]
