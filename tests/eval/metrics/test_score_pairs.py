"""The command that scores pairs from elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from amem.errors import ConfigurationError, DataError
from eval.__main__ import main
from eval.commands.score_pairs import read_pairs
from eval.metrics.registry import NAMES, metric

CASES = Path(__file__).parent / "cases.json"
GOOD = {"prediction": "tea", "reference": "green tea", "category": 4}


def written(folder: Path, content: Any) -> Path:
    path = folder / "pairs.json"
    path.write_text(json.dumps(content), "utf-8")
    return path


def test_keys_and_order_are_those_of_the_cases(tmp_path: Path) -> None:
    pairs = json.loads(CASES.read_text("utf-8"))["pairs"][::7]
    out = tmp_path / "new" / "scores.json"
    code = main(["score-pairs", str(written(tmp_path, pairs)), "--out", str(out)])
    rows = json.loads(out.read_text("utf-8"))
    assert code == 0
    assert [set(row) for row in rows] == [set(pair) for pair in pairs]
    assert [row["prediction"] for row in rows] == [pair["prediction"] for pair in pairs]


def test_standard_output_is_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["score-pairs", str(written(tmp_path, [GOOD]))])
    assert json.loads(capsys.readouterr().out)[0]["f1_amem_set"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("pair", "named"),
    [
        ("text", "pair 1: an object"),
        ({"prediction": "a", "reference": "b"}, "pair 1: field category is missing"),
        ({**GOOD, "prediction": None}, "pair 1: prediction"),
        ({**GOOD, "prediction": 7}, "pair 1: prediction"),
        ({**GOOD, "reference": ["x"]}, "pair 1: reference"),
        ({**GOOD, "reference": True}, "pair 1: reference"),
        ({**GOOD, "reference": float("nan")}, "pair 1: reference"),
        ({**GOOD, "category": 6}, "pair 1: category"),
        ({**GOOD, "category": True}, "pair 1: category"),
        ({**GOOD, "category": "4"}, "pair 1: category"),
    ],
)
def test_a_bad_pair_is_refused_by_index_and_field(tmp_path: Path, pair: Any, named: str) -> None:
    with pytest.raises(DataError, match=named):
        read_pairs(written(tmp_path, [GOOD, pair]))


@pytest.mark.parametrize("content", [[], {"pairs": []}, 3])
def test_a_file_without_a_list_is_refused(tmp_path: Path, content: Any) -> None:
    with pytest.raises(DataError, match="a list of pairs"):
        read_pairs(written(tmp_path, content))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"nowhere\.json"):
        read_pairs(tmp_path / "nowhere.json")


def test_broken_json_is_named(tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text("[{", "utf-8")
    with pytest.raises(DataError, match=r"broken\.json: not JSON"):
        read_pairs(path)


def test_a_model_that_is_not_there_is_never_replaced(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no other model is used"):
        metric("bertscore", str(tmp_path)).scores(["a"], ["b"], ["single_hop"])


def test_an_unknown_metric_names_those_there_are() -> None:
    with pytest.raises(ConfigurationError, match="f1_amem_set"):
        metric("f1")


def test_only_bertscore_takes_a_model() -> None:
    with pytest.raises(ConfigurationError, match="takes no model"):
        metric(NAMES[0], "some-model")
