"""The audit computes what it says: on the published tables, and on tables that are changed."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from amem.errors import DataError
from eval.__main__ import main
from eval.audit.audit import audit
from eval.audit.finding import Finding, Verdict
from eval.audit.page import html, markdown
from eval.audit.source import read_published
from eval.tables.paper import FOLDER

PUBLISHED = {finding.key: finding for finding in audit(read_published())}

Change = Callable[[list[dict[str, str]]], None]


def rows_of(key: str) -> list[tuple[str, ...]]:
    return [row for table in PUBLISHED[key].arithmetic for row in table.rows]


def audited(folder: Path, name: str, change: Change) -> dict[str, Finding]:
    """Findings on a copy of the published tables in which one file was changed."""
    copy = folder / "tables"
    shutil.copytree(FOLDER, copy)
    path = copy / f"{name}.csv"
    rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    change(rows)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return {finding.key: finding for finding in audit(read_published(copy))}


def test_f1_ranks_that_differ() -> None:
    assert {(row[0], row[1]): (row[3], row[4]) for row in rows_of("rank-f1")} == {
        ("qwen2.5-1.5b", "LoCoMo"): ("3.0", "3.4"),
        ("qwen2.5-1.5b", "ReadAgent"): ("4.8", "4.6"),
        ("qwen2.5-1.5b", "MemGPT"): ("3.6", "3.4"),
        ("qwen2.5-3b", "LoCoMo"): ("3.0", "3.2"),
        ("qwen2.5-3b", "ReadAgent"): ("4.0", "4.2"),
        ("qwen2.5-3b", "MemGPT"): ("2.8", "2.4"),
        ("llama3.2-1b", "LoCoMo"): ("3.2", "3.4"),
        ("llama3.2-1b", "MemGPT"): ("4.2", "4.0"),
        ("llama3.2-3b", "LoCoMo"): ("2.0", "2.8"),
        ("llama3.2-3b", "ReadAgent"): ("4.6", "4.2"),
        ("llama3.2-3b", "MemoryBank"): ("3.6", "3.2"),
    }


def test_bleu_ranks_that_differ() -> None:
    found = {(row[0], row[1]): row[3] for row in rows_of("rank-bleu1")}
    assert found[("gpt-4o-mini", "LoCoMo")] == "2.2"
    assert found[("gpt-4o-mini", "MemGPT")] == "2.6"
    assert found[("qwen2.5-1.5b", "MemoryBank")] == "3.2"
    assert found[("llama3.2-1b", "MemoryBank")] == "2.4"
    assert not any(backbone == "gpt-4o" for backbone, _ in found)


@pytest.mark.parametrize(
    ("key", "verdict", "said"),
    [
        ("rank-bleu-copied", Verdict.CONTRADICTION, "30 of 30 rows"),
        ("duplicate-rows", Verdict.CONTRADICTION, "qwen2.5-3b ReadAgent and llama3.2-3b ReadAgent agree in all 10"),
        ("shifted-row", Verdict.CONTRADICTION, "read 12.24, 7.54, 27.32"),
        ("bleu-above-f1", Verdict.DOUBT, "13 in Table 1, 1 in Table 2, 3 in Table 3"),
        ("rouge-2-above-rouge-l", Verdict.DOUBT, "ROUGE-2 3.60 and ROUGE-L 3.54"),
        ("question-weighted", Verdict.DOUBT, "LoCoMo leads with 44.12, and A-Mem, ranked first, has 40.53 (place 3"),
        ("multi-hop-factor", Verdict.CONTRADICTION, "1.01 times the best baseline's on gpt-4o-mini, 1.08"),
        ("gpt-strengths", Verdict.CONTRADICTION, "A-Mem leads Open Domain on gpt-4o"),
        ("other-backbones", Verdict.HOLDS, "40 of the 40"),
        ("dialsim-gains", Verdict.HOLDS, "35.3% and 192.4%"),
        ("data-size", Verdict.CONTRADICTION, "7,512 and 1,986 questions"),
        ("token-saving", Verdict.HOLDS, "from 85.1% to 93.3%"),
        ("memgpt-tokens", Verdict.DOUBT, "40 to 77 tokens"),
        ("ablation-losses", Verdict.CONTRADICTION, "Single Hop (70%)"),
        ("memory-column", Verdict.DOUBT, "12 of 12"),
        ("bandwidth", Verdict.CONTRADICTION, "415 TB/s"),
        ("bandwidth", Verdict.CONTRADICTION, "804 TB/s"),
        ("growth", Verdict.DOUBT, "A-Mem's time grows 12 times while the memory grows 1,000 times"),
    ],
)
def test_a_published_finding(key: str, verdict: Verdict, said: str) -> None:
    assert PUBLISHED[key].verdict is verdict
    assert said in PUBLISHED[key].statement


def test_the_slipped_row_brings_the_printed_ranks_back() -> None:
    restored = {row[0]: row[1:] for row in rows_of("shifted-row")}
    assert restored["ReadAgent"] == ("4.6", "4.8", "4.6")
    assert restored["MemGPT"] == ("3.4", "3.6", "3.4")


def test_question_weighted_means_of_gpt_4o() -> None:
    means = {row[1]: row[3] for row in rows_of("question-weighted") if row[0] == "gpt-4o"}
    assert (means["LoCoMo"], means["MemGPT"], means["A-Mem"]) == ("44.12", "41.02", "40.53")


def test_ranks_that_are_put_right_hold(tmp_path: Path) -> None:
    right = {(row[0], row[1]): row[3] for row in rows_of("rank-f1")}

    def correct(rows: list[dict[str, str]]) -> None:
        for row in rows:
            row["rank_f1"] = right.get((row["backbone"], row["method"]), row["rank_f1"])

    found = audited(tmp_path, "table1_locomo", correct)
    assert found["rank-f1"].verdict is Verdict.HOLDS
    assert found["rank-bleu-copied"].verdict is Verdict.HOLDS


def test_a_row_of_its_own_is_no_duplicate(tmp_path: Path) -> None:
    def change(rows: list[dict[str, str]]) -> None:
        rows[-4]["multi_hop_f1"] = "2.48"

    assert audited(tmp_path, "table1_locomo", change)["duplicate-rows"].verdict is Verdict.HOLDS


def test_a_row_that_is_moved_back_is_no_slip(tmp_path: Path) -> None:
    def change(rows: list[dict[str, str]]) -> None:
        row = next(row for row in rows if (row["backbone"], row["method"]) == ("qwen2.5-1.5b", "ReadAgent"))
        row |= {"open_domain_f1": "12.24", "open_domain_bleu1": "10.13", "single_hop_f1": "7.54"}
        row |= {"single_hop_bleu1": "5.42", "adversarial_f1": "27.32", "adversarial_bleu1": "26.00"}

    assert audited(tmp_path, "table1_locomo", change)["shifted-row"].verdict is Verdict.HOLDS


def test_milliseconds_would_be_plausible(tmp_path: Path) -> None:
    def change(rows: list[dict[str, str]]) -> None:
        for row in rows:
            row["retrieval_time_us_mean"] = str(1000 * float(row["retrieval_time_us_mean"]))

    assert audited(tmp_path, "table4_scaling", change)["bandwidth"].verdict is Verdict.HOLDS


def test_a_wrong_percentage_is_found(tmp_path: Path) -> None:
    def change(rows: list[dict[str, str]]) -> None:
        next(row for row in rows if row["claim"] == "dialsim_gain_locomo")["value"] = "53"

    found = audited(tmp_path, "claims", change)["dialsim-gains"]
    assert found.verdict is Verdict.CONTRADICTION
    assert "35.3%" in found.statement


def test_an_empty_cell_is_refused_with_its_place(tmp_path: Path) -> None:
    def change(rows: list[dict[str, str]]) -> None:
        rows[2]["temporal_f1"] = ""

    with pytest.raises(DataError, match=r"table1_locomo\.csv:4: temporal_f1"):
        audited(tmp_path, "table1_locomo", change)


def test_both_pages_hold_every_finding_and_anchor() -> None:
    findings = list(PUBLISHED.values())
    for page in (markdown(findings), html(findings)):
        for finding in findings:
            assert f'id="{finding.key}"' in page
            assert f"#{finding.key}" in page
    assert "<b>" not in html(findings)


def test_the_command_writes_the_pages_or_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit-paper"]) == 0
    printed = capsys.readouterr().out
    assert main(["audit-paper", "--out", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out" / "audit.md").read_text("utf-8") == printed
    assert (tmp_path / "out" / "audit.html").read_text("utf-8").startswith("<!doctype html>")


def test_counts_of_the_release_are_those_of_the_file(locomo_file: Path) -> None:
    samples = json.loads(locomo_file.read_text("utf-8"))
    release = read_published().release
    numbers = {1: "multi_hop", 2: "temporal", 3: "open_domain", 4: "single_hop", 5: "adversarial"}
    for number, name in numbers.items():
        assert release[name] == sum(item["category"] == number for sample in samples for item in sample["qa"])
    sessions = [
        sum(key.startswith("session_") and isinstance(value, list) for key, value in sample["conversation"].items())
        for sample in samples
    ]
    assert (release["conversations"], release["sessions_max"]) == (len(samples), max(sessions))
