"""Table 3: the ablation, where a run has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.composition import compose, method_settings
from eval.scoring.scores import score_answers
from eval.tables.meta import Named, RunMeta
from eval.tables.paper import paper_table
from eval.tables.table import Table
from eval.tables.table3 import table3
from tests.eval.scoring.made_answers import answers, manifest

ROWS = {"bare": "w/o LG & ME", "linked": "w/o ME", "amem": "A-Mem"}


def made(rows: dict[str, str], backbone: str = "gpt-4o-mini") -> list[Table]:
    scores = score_answers(answers(dict.fromkeys(rows, 0.5)), metrics=("f1_amem_set", "bleu1"))
    meta = RunMeta.from_manifest(manifest(()))
    named = {name: Named(row, row) for name, row in rows.items()}
    fields = {name: getattr(meta, name) for name in RunMeta.__dataclass_fields__}
    return table3(scores, RunMeta(**{**fields, "methods": named, "backbones": {"tiny": Named("Tiny", backbone)}}))


def test_each_row_of_the_paper_stands_below_ours() -> None:
    (table,) = made(ROWS)
    printed = {row["method"]: f"{row['multi_hop_f1']:.2f}" for row in paper_table("table3_ablation")}
    rows = table.sections[0].rows
    ours = [place for place, row in enumerate(rows) if not row.minor]
    assert [rows[place].label for place in ours] == list(ROWS.values())
    papers = [row.cells[0].text for row in rows if row.label == "paper"]
    assert papers == [printed[name] for name in ROWS.values()]


def test_another_backbone_has_no_row_of_the_paper() -> None:
    (table,) = made(ROWS, backbone="llama3.2-1b")
    assert not any(row.label == "paper" for row in table.sections[0].rows)


@pytest.mark.parametrize("rows", [{"amem": "A-Mem"}, {"linked": "w/o ME"}, {"amem": "A-Mem", "locomo": "LoCoMo"}])
def test_a_run_without_an_ablation_has_no_table_3(rows: dict[str, str]) -> None:
    assert made(rows) == []


def test_the_experiment_switches_off_what_the_rows_say(tmp_path: Path) -> None:
    config = compose(["experiment=ablation", "backbone=[scripted]"])
    settings = {m.paper_row: method_settings(name, m._target_, m.settings) for name, m in config.methods.items()}
    assert {row: (s.link_generation, s.memory_evolution) for row, s in settings.items()} == {
        "w/o LG & ME": (False, False), "w/o ME": (True, False), "A-Mem": (True, True),
    }  # fmt: skip
