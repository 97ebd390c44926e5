"""Tables and figure from raw measurements."""

from __future__ import annotations

import csv
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from amem.errors import ResultsError
from eval.__main__ import main
from eval.report.build import write_report
from eval.scaling.report import report, scaling_parts

MACHINE = {"cpu": "a processor", "cores": 2, "memory_bytes": 2**34, "load_average": [0.5, 0.5, 0.5]}
NEAR = {"vectors": 90, "nearest_cosine": 0.7, "intrinsic_dimension": 15.0}
MANIFEST = {
    "name": "scaling",
    "key": "abc",
    "data": {"name": "sample", "line": "Data: sample", "description": "all", "is_sample": True, "licence": "CC0 1.0"},
    "text_like": {"scale": 0.9, "real": NEAR, "drawn": NEAR},
    "config": {
        "methods": {name: {"label": label, "paper_row": label} for name, label in
                    {"amem": "A-Mem", "memorybank": "MemoryBank", "readagent": "ReadAgent"}.items()},
        "scaling": {"threads": 1, "queries": 2, "batch": 10, "k": 10, "call_seconds": 0.2,
                    "sizes": [1000, 10000], "vectors": ["text_like", "random"]},
    },
}  # fmt: skip


def search(queries: str, settings: dict[str, int], seconds: float, recall: float) -> dict[str, Any]:
    return {"queries": queries, "settings": settings, "seconds": [seconds] * 2, "recall": recall,
            "batch": {"queries": 10, "seconds": [seconds]}}  # fmt: skip


def index(name: str, searches: list[dict[str, Any]]) -> dict[str, Any]:
    return {"name": name, "parameters": {}, "build_seconds": 1.0, "index_bytes": 2**20, "process_bytes": 2**21,
            "searches": searches}  # fmt: skip


def search_cell(size: int, vectors: str) -> dict[str, Any]:
    graph = [search("questions", {"ef": 16}, 1e-5, 0.9), search("notes", {"ef": 16}, 1e-5, 0.99),
             search("questions", {"ef": 64}, 4e-5, 0.97), search("notes", {"ef": 64}, 3e-5, 0.99)]  # fmt: skip
    return {
        "cell": {"size": size, "vectors": vectors, "method": None},
        "machine": MACHINE,
        "read": {"way": "maximum", "seconds": [size * 1e-8] * 4, "bytes": size * 1536},
        "unwaited_seconds": [2e-6, 2e-6],
        "indexes": [index("exact", [search(q, {}, size * 1.2e-8, 1.0) for q in ("questions", "notes")]),
                    index("hnsw", graph), index("ivf", [search("questions", {"probes": 1}, 1e-6, 0.2)])],
    }  # fmt: skip


def method_cell(size: int, method: str) -> dict[str, Any]:
    share = {"seconds": 0.5, "model_seconds": 0.2, "encoder_seconds": 0.1, "calls": 4}
    return {
        "cell": {"size": size, "vectors": None, "method": method},
        "machine": MACHINE,
        "process_bytes": 3 * 2**20,
        "index_bytes": 0 if method == "readagent" else size * 1536,
        "search_seconds": None if method == "readagent" else [31e-6, 31e-6],
        "retrievals": [{**share, "calls": 0}],
        "operations": [{**share, "turns": 2}],
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "manifest.json").write_text(json.dumps(MANIFEST))
    (tmp_path / "measurements").mkdir()
    for size in (1000, 10000):
        cells = [search_cell(size, "random"), search_cell(size, "text_like")]
        cells += [method_cell(size, name) for name in ("amem", "memorybank", "readagent")]
        for number, cell in enumerate(cells):
            (tmp_path / "measurements" / f"{size}-{number}.json").write_text(json.dumps(cell))
    return tmp_path


def rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text("utf-8").splitlines()))


def test_table_4_stands_beside_the_papers(folder: Path) -> None:
    text = report(folder)
    first = rows(folder / "table.csv")[0]
    assert (first["method"], first["memory_size"], first["paper_us_mean"], first["paper_mib"]) == (
        "A-Mem", "1000", "0.31", "1.46")  # fmt: skip
    assert float(first["search_to_paper"]) == pytest.approx(100)
    assert float(first["retrieval_ms"]) == pytest.approx(200)
    assert "Which protocol could give the paper's times" in text


def test_a_run_that_lacks_a_cell_says_which(folder: Path) -> None:
    assert "UNFINISHED" not in report(folder)
    (folder / "measurements" / "1000-2.json").unlink()
    (folder / "measurements" / "10000-1.json").unlink()
    said = "UNFINISHED RUN, not measured: 1000-amem, 10000-text_like. "
    assert report(folder).replace("\n", " ").replace("  ", " ").count(said) == 5


def test_a_scaling_run_of_which_nothing_is_measured_is_one(folder: Path) -> None:
    shutil.rmtree(folder / "measurements")
    with pytest.raises(ResultsError, match="holds no cell"):
        write_report(folder)


def test_a_method_without_vectors_has_no_search_time(folder: Path) -> None:
    report(folder)
    readagent = next(row for row in rows(folder / "table.csv") if row["method"] == "ReadAgent")
    assert readagent["search_us_median"] == "" and readagent["search_to_paper"] == ""
    assert float(readagent["paper_us_mean"]) == 43.62


def test_the_exact_search_is_held_against_reading(folder: Path) -> None:
    report(folder)
    found = rows(folder / "tables" / "bound.csv")
    assert [row["vectors"] for row in found] == ["text_like", "text_like", "random", "random"]
    assert all(float(row["exact_to_read"]) == pytest.approx(1.2) for row in found)


def test_the_fastest_setting_counts_only_with_enough_recall_for_every_kind_of_query(folder: Path) -> None:
    report(folder)
    found = rows(folder / "tables" / "protocols.csv")
    by_protocol = {row["protocol"]: row for row in found if row["memory_size"] == "1000"}
    assert float(by_protocol["HNSW at recall 0.95, one query"]["us"]) == pytest.approx(40)
    assert by_protocol["IVF at recall 0.95, one query"]["us"] == ""
    assert float(by_protocol["one query at an H200's 4.8 TB/s"]["us"]) == pytest.approx(0.32)


def test_memory_operations_are_given_by_the_turn_with_calls_and_without(folder: Path) -> None:
    report(folder)
    first = rows(folder / "tables" / "operations.csv")[0]
    assert float(first["operation_own"]) == pytest.approx(150)
    assert float(first["operation_with_calls"]) == pytest.approx(250)
    assert float(first["operation_calls"]) == 2


def test_the_figure_is_drawn(folder: Path) -> None:
    report(folder)
    assert (folder / "scaling.pdf").read_bytes().startswith(b"%PDF")
    assert (folder / "scaling.png").stat().st_size > 10_000


def test_a_folder_without_measurements_is_refused(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps(MANIFEST))
    with pytest.raises(ResultsError, match="no cell"):
        report(tmp_path)


def captions(folder: Path) -> dict[str, str]:
    return {table.key: table.caption for table in scaling_parts(folder)[0]}


def move(folder: Path, cells: str, **other: Any) -> None:
    """Have measurements made on a machine that is different in `other`."""
    for path in (folder / "measurements").glob(cells):
        value = json.loads(path.read_text())
        path.write_text(json.dumps({**value, "machine": {**MACHINE, **other}}))


def test_captions_name_the_machine_that_measured_and_not_the_one_that_started_last(folder: Path) -> None:
    manifest = {**MANIFEST, "machine": {**MACHINE, "cpu": "the last one"}, "starts": [{"machine": {"cpu": "the last"}}]}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    found = captions(folder)
    assert len(found) == 5
    for text in found.values():
        assert text.startswith("a processor, 2 cores, 16 GiB, at load averages of 0.5 to 0.5; timed on 1 thread(s)")
        assert "the last" not in text


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"cpu": "another"}, "another, 2 cores, 16 GiB"),
        ({"cores": 8}, "a processor, 8 cores, 16 GiB"),
        ({"memory_bytes": 2**35}, "a processor, 2 cores, 32 GiB"),
    ],
)
def test_every_table_says_which_sizes_were_measured_on_which_machine(
    folder: Path, other: dict[str, Any], words: str
) -> None:
    move(folder, "10000-*", **other, load_average=[3.0, 0, 0])
    for text in captions(folder).values():
        assert text.startswith("Measured on 2 machines, whose times can't be compared: 1,000 entries on a processor, 2")
        assert f"at load averages of 0.5 to 0.5; 10,000 entries on {words}, at load averages of 3.0 to 3.0; " in text


def test_where_a_size_was_measured_on_two_machines_its_cells_are_named(folder: Path) -> None:
    move(folder, "1000-2*", cpu="another")
    found = captions(folder)
    assert "another" not in found["indexes"] + found["bound"] + found["protocols"]
    assert "1,000 (amem) entries on another" in found["table4"]
    assert "1,000 (memorybank, readagent), 10,000 entries on a processor" in found["operations"]
    move(folder, "1000-0*", cpu="another")
    assert "1,000 (random vectors) entries on another" in captions(folder)["bound"]
    assert "another" not in captions(folder)["protocols"]


def test_a_few_mebibytes_less_are_the_same_machine(folder: Path) -> None:
    move(folder, "10000-*", memory_bytes=2**34 - 2**22)
    assert "machines" not in captions(folder)["table4"]


DAMAGED = {
    "": "not JSON",
    '{"cell": {"size": 1000, "vec': "not JSON",
    "[]": "lacks cell",
    '{"cell": {"vectors": null, "method": "amem"}}': "lacks cell.size, machine, process_bytes",
    '{"cell": {"size": 1000, "vectors": "random", "method": null}, "machine": {}}': "lacks read",
}


@pytest.mark.parametrize(("content", "words"), DAMAGED.items())
def test_a_damaged_measurement_is_named_and_the_way_out(folder: Path, content: str, words: str) -> None:
    path = folder / "measurements" / "1000-0.json"
    path.write_text(content)
    with pytest.raises(ResultsError, match=f"{re.escape(str(path))}: .*{words}.*; delete the file") as error:
        report(folder)
    assert "measures the cell again" in str(error.value)


def test_a_scaling_run_has_a_page_and_a_figure(folder: Path) -> None:
    (page,) = write_report(folder)
    text = page.read_text("utf-8")
    assert '<figure id="table4">' in text and 'id="figure-scaling"' in text and "data:image/svg+xml" in text
    assert "#view=questions" not in text


def test_scoring_a_scaling_run_names_what_writes_its_tables(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(folder)]) == 2
    assert "is of a scaling run, which asks no questions" in capsys.readouterr().err
