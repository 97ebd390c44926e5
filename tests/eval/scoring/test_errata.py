"""Corrections laid over a run: both scores are shown, the answers stay as they are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from amem.errors import DataError
from eval.config import ScoringConfig
from eval.reporting import report_run
from eval.scoring.errata import read_errata
from tests.eval.scoring.made_answers import answer, answers, manifest, write_run

QUICK = ScoringConfig(metrics=["f1_amem_set", "f1_locomo", "bleu1"])
GOOD = """\
source: a made-up list
corrections:
  conv-1/1:
    reference: 2022
    evidence: [D2:1]
    reason: made up
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "errata.yaml"
    path.write_text(text, "utf-8")
    return path


def test_corrections_replace_reference_and_evidence_and_nothing_else(tmp_path: Path) -> None:
    errata, row = read_errata(written(tmp_path, GOOD)), answer()
    assert errata.corrected([row]) == [{**row, "reference": "2022", "evidence": ["D2:1"]}]
    assert row == answer()


def test_both_scores_are_shown(tmp_path: Path) -> None:
    rows = answers({"amem": 1.0})
    errata = written(tmp_path, GOOD.replace("conv-1/1", "conv-1/single_hop0").replace("2022", "a ship"))
    folder = write_run(tmp_path / "run", rows, manifest(("amem",)))
    shown = report_run(folder, replace(QUICK, errata=str(errata)))
    assert "Corrections: a made-up list; 1 of its 1 apply to this run." in shown
    columns = (folder / "tables" / "errata.csv").read_text("utf-8").splitlines()
    figures = dict(zip(columns[0].split(","), columns[1].split(","), strict=True))
    assert (figures["single_hop_published"], figures["single_hop_corrected"]) == ("100", "95.8333")


def test_a_list_for_other_data_is_refused(tmp_path: Path) -> None:
    errata = read_errata(written(tmp_path, GOOD))
    with pytest.raises(DataError, match=r"none of the 1 corrections \(conv-1/1"):
        errata.applying_to([answer(question_id="other")])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("- a", "source"),
        ("source: x", "corrections must be a mapping"),
        ("source: x\ncorrections: {q: text}", "q: a mapping is needed"),
        ("source: x\ncorrections: {q: {answer: y}}", "q: unknown field answer"),
        ("source: x\ncorrections: {q: {reason: y}}", "q: nothing is corrected"),
        ("source: x\ncorrections: {q: {reference: [y]}}", "q: reference must be text"),
        ("source: x\ncorrections: {q: {evidence: D1}}", "q: evidence must be a list"),
        ("source: [", "not YAML"),
    ],
)
def test_a_malformed_file_is_refused_with_its_place(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(DataError, match=reason):
        read_errata(written(tmp_path, text))
