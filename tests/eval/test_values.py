"""What a configuration can't be is refused before data is read, with the key and the way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from amem.errors import ConfigurationError
from eval.__main__ import main
from eval.composition import compose
from eval.config import ScoringConfig
from eval.values import check_scoring


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("repeats=0", "repeats must be at least 1, not 0"),
        ("dataset.questions=0", "dataset.questions must be at least 1"),
        ("dataset.sessions=-1", "dataset.sessions must be at least 1"),
        ("budget.usd=-0.5", "budget.usd must be at least 0"),
        ("budget.usd=nan", "budget.usd must be at least 0"),
        ("backbones.scripted.prices.input_per_million=-5", "prices.input_per_million must be at least 0"),
        ("backbones.scripted.prices.output_per_million=nan", "prices.output_per_million must be at least 0"),
        ("embedder.dimension=10", "all-MiniLM-L6-v2 has 384, not 10"),
        ("scoring.max_failure_share=2", "scoring.max_failure_share is a share"),
        ("scoring.metrics=[f2]", "no metric is called 'f2'"),
        ("scoring.metrics=[f1_locomo,bleu1]", "lacks f1_amem_set"),
        ("scoring.idk=maybe", "known are phrase, option, excluded"),
        ("name=a/b", "becomes a folder's name"),
        ("dataset.conversations=conv-26", r"a list is needed, written \[a,b\]"),
        ("retrieve.k=many", "retrieve.k=many: Value 'many' .* could not be converted to Integer"),
        ("methd=amem", "did you mean method"),
        ("dataset.questoins=1", "did you mean questions"),
        ("method.locomo=1", "did you mean method"),
        ("executor.runtim_env={a: 1}", "executor.runtim_env is not a key"),
        ("zzz=1", "the outermost are name, seed"),
        ("+zzz=1", "zzz is not a key of the configuration; the outermost are name, seed"),
        ("retrieve.k=10,20", "retrieve.k=10,20: several values are a job each, and need -m"),
        ("seed=range(3)", r"seed=range\(3\): several values are a job each, and need -m"),
        ("results/run", r"results/run: no override \(KEY=VALUE"),
        ("methods.locomo.settings.k_by_category={single_hop: 5}", r"write \+methods\.locomo\.settings\.k_by_category="),
        ("+backbones.scripted.answer_temperature={adversial: 0.5}", "answer_temperature: 'adversial' is no category"),
        ("+backbones.scripted.answer_temperature={adversarial: -1}", "answer_temperature.adversarial must be at least"),
    ],
)
def test_a_wrong_value_is_refused_with_its_key(override: str, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        compose(["method=[locomo]", "backbone=[scripted]", override])


def test_k_for_a_category_that_there_is_none_of_is_refused() -> None:
    setting = "methods.amem.settings.k_by_category"
    compose(["method=[amem]", "backbone=[scripted]", f"+{setting}={{single_hop: 5, past_cur: 5}}"])
    with pytest.raises(ConfigurationError, match=f"{setting}: 'single-hop' is no category; there are multi_hop"):
        compose(["method=[amem]", "backbone=[scripted]", f"+{setting}={{single-hop: 5}}"])


def test_a_method_s_file_without_its_package_line_says_so(tmp_path: Path) -> None:
    (tmp_path / "method").mkdir()
    (tmp_path / "method" / "mine.yaml").write_text("_target_: baselines.locomo.FullContext\nlabel: Mine\n", "utf-8")
    with pytest.raises(ConfigurationError, match=r"needs `# @package methods.<its name>` as its first line"):
        compose(["method=[mine]", "backbone=[scripted]", f"hydra.searchpath=[file://{tmp_path}]"])


def test_a_command_finds_a_method_of_ones_own_as_a_run_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "method").mkdir()
    text = "# @package methods.mine\n_target_: baselines.locomo.FullContext\nlabel: Mine\n"
    (tmp_path / "method" / "mine.yaml").write_text(text, "utf-8")
    asked = ["method=[mine]", "backbone=[scripted]", "dataset=sample", "dataset.sessions=1"]
    assert main(["estimate", "--no-records", "--config-dir", str(tmp_path), *asked]) == 0
    assert "scripted  mine" in capsys.readouterr().out
    assert main(["check", "--config-dir", str(tmp_path / "none"), *asked]) == 2
    assert f"--config-dir {tmp_path / 'none'}: there is no such folder" in capsys.readouterr().err


@pytest.mark.parametrize("given", ["executor.runtime_env={working_dir: .}", "+executor.runtime_env.working_dir=."])
def test_ray_s_runtime_environment_takes_any_key(given: str) -> None:
    config = compose(["method=[locomo]", "backbone=[scripted]", "executor=ray", given])
    assert config.executor.runtime_env == {"working_dir": "."}


def test_shipped_defaults_pass() -> None:
    check_scoring(ScoringConfig())
    check_scoring(ScoringConfig(metrics=["f1_amem_set", "f1_locomo", "bleu1", "bertscore"]))


@pytest.mark.parametrize(("word", "hint"), [("scorr", "did you mean score?"), ("qqqq", "lists them")])
def test_a_mistyped_command_is_no_riddle(word: str, hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([word, "results/x"]) == 2
    assert hint in capsys.readouterr().err


def test_a_prompt_pack_that_is_not_there_is_told_before_the_data_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    overrides = ["method=[locomo]", "backbone=[scripted]", "dataset=sample", f"results_dir={tmp_path}"]
    assert main([*overrides, "prompts.folder=/nowhere"]) == 2
    printed = capsys.readouterr()
    assert "no prompt pack '/nowhere'" in printed.err
    assert "Data:" not in printed.out


@pytest.mark.parametrize("name", ["sessions", "episodes", "turns"])
def test_a_pass_over_nothing_is_refused(name: str) -> None:
    with pytest.raises(ConfigurationError, match=f"dialsim.{name} must be at least 1"):
        compose(["dataset=dialsim_sample", f"dialsim.{name}=0"])
