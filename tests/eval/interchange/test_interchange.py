"""A run in the formats of others says what the run says."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
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
@pytest.mark.parametrize("store", ["file", "sqlite"])
def test_mlflow_is_told_the_means_and_the_tables(
    run_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: str
):
    pytest.importorskip("mlflow", reason="NO MLFLOW: make extras EXTRAS=mlflow")
    from mlflow.tracking import MlflowClient

    # MLflow's own default is SQLite by now; it refuses a store of files unless this is set.
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.chdir(tmp_path)
    uri = f"sqlite:///{tmp_path}/mlflow.db" if store == "sqlite" else (tmp_path / "store").as_uri()
    for _ in range(2):
        track(run_folder, TrackingConfig("mlflow", uri, "tested"))
    client = MlflowClient(uri)
    logged, _ = client.search_runs([client.get_experiment_by_name("tested").experiment_id])
    assert logged.data.metrics == pytest.approx(means(run_folder))
    assert logged.data.params["retrieve.k"] == "3"
    assert {"manifest.json", "table.csv"} <= {entry.path for entry in client.list_artifacts(logged.info.run_id)}
    assert {path.name for path in tmp_path.iterdir()} == (
        {"mlflow.db", "mlflow.files"} if store == "sqlite" else {"store"}
    )


def leveldb_log(content: bytes, start: int = 7, block: int = 32_768) -> Iterator[bytes]:
    """The entries of a log in LevelDB's format: W&B's header, then blocks of pieces (checksum, length, kind, data)."""
    place, entry = start, b""
    while place + 7 <= len(content):
        left = block - place % block
        if left < 7:
            place += left
            continue
        length, kind = struct.unpack_from("<HB", content, place + 4)
        entry += content[place + 7 : place + 7 + length]
        place += 7 + length
        if kind in (1, 4):  # whole, or the last piece
            yield entry
            entry = b""


@pytest.mark.slow
def test_wandb_offline_holds_figures_and_settings_and_no_key(
    run_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    pytest.importorskip("wandb", reason="NO WANDB: make extras EXTRAS=wandb")
    from wandb.proto.wandb_internal_pb2 import Record

    keys = {"OPENAI_API_KEY": "sk-not-to-be-told", "WANDB_API_KEY": "0" * 20 + "1" * 20}
    places = {"WANDB_DIR": str(tmp_path), "WANDB_DATA_DIR": str(tmp_path), "WANDB_CACHE_DIR": str(tmp_path)}
    for name, value in {**keys, **places, "WANDB_MODE": "offline", "WANDB_SILENT": "true"}.items():
        monkeypatch.setenv(name, value)
    track(run_folder, TrackingConfig("wandb", None, "tested"))
    (log,) = tmp_path.glob("wandb/offline-run-*/*.wandb")
    records = [Record.FromString(data) for data in leveldb_log(log.read_bytes())]
    history = {"/".join(item.nested_key) or item.key: item.value_json for r in records for item in r.history.item}
    told = {item.key: json.loads(item.value_json) for r in records for item in r.run.config.update}
    assert {key: json.loads(history[key]) for key in means(run_folder)} == pytest.approx(means(run_folder))
    assert told["retrieve.k"] == 3
    assert {e.path for r in records for e in r.artifact.manifest.contents} >= {"manifest.json", "table.csv"}
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert not [name for name, key in keys.items() if key.encode() in written]


def test_an_unknown_tracker_is_refused():
    with pytest.raises(ConfigurationError, match="known are none, mlflow, wandb"):
        check_tracking(TrackingConfig("mlfow"))


def test_settings_are_named_by_their_place():
    assert flat({"a": {"b": 1, "c": {}}, "d": [2]}) == [("a.b", 1), ("d", [2])]
