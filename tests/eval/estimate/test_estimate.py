"""An estimate is right where it can be: against a run that replied as it was assumed to."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path

import pytest

from amem.errors import ResultsError
from eval.__main__ import main
from eval.composition import compose
from eval.dialsim.dataset import DialSimConfig
from eval.estimate.estimate import Estimate, estimate, rows
from eval.estimate.finished import asked_in, check_data, configuration_of, errors, other_prompts
from eval.estimate.report import report
from eval.estimate.servers import server_of
from eval.prepared import prepare
from eval.run import execute

SLICE = ["dataset=sample", "dataset.sessions=2", "dataset.questions=2", "link.k=2", "retrieve.k=3"]
METHODS = "method=[amem,locomo]"


def made(*overrides: str, records: Path | None = None, conversations: int = 1) -> Estimate:
    return estimate(compose([*SLICE, *overrides]), records=records, conversations=conversations)


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    with ExitStack() as stack:
        prepared = prepare(compose([*SLICE, METHODS, "backbone=[scripted]", f"results_dir={folder}"]), stack)
        execute(prepared)
    return prepared.folder


def test_with_the_records_of_a_run_its_calls_and_tokens_are_estimated_within_15_percent(run_folder: Path) -> None:
    config = configuration_of(run_folder)
    guess = estimate(config, records=run_folder.parent / "records.sqlite")
    found = list(errors(guess, asked_in(run_folder)))
    assert {method for _, method, *_ in found} == {"amem", "locomo"}
    for _, method, calls, prompt_tokens, _ in found:
        assert abs(calls) < 0.15 and abs(prompt_tokens) < 0.15, method
    # LoCoMo's three kinds of answers are too few here to be measured.
    assert abs(found[0][-1]) < 0.15


def test_all_of_the_data_run_dry_gives_the_calls_exactly(run_folder: Path) -> None:
    guess = estimate(configuration_of(run_folder), records=None, conversations=2)
    assert [calls for _, _, calls, *_ in errors(guess, asked_in(run_folder))] == pytest.approx([0, 0])


def test_a_method_that_the_run_did_not_have_is_an_error(run_folder: Path) -> None:
    with pytest.raises(ResultsError, match="rag"):
        list(errors(made("backbone=[scripted]", "method=[rag]"), asked_in(run_folder)))


def test_backbones_that_ask_the_same_share_a_dry_run_and_differ_in_price(capsys: pytest.CaptureFixture[str]) -> None:
    mini, large = rows(made("backbone=[gpt-4o-mini,gpt-4o]", "method=[locomo]"))
    assert capsys.readouterr().err.count("dry run:") == 1
    assert (mini.calls, mini.prompt_tokens) == (large.calls, large.prompt_tokens)
    assert large.usd == pytest.approx(mini.usd * 2.5 / 0.15, rel=1e-6)


def test_backbones_of_one_server_add_their_hours_and_other_servers_work_beside_them(monkeypatch) -> None:
    monkeypatch.delenv("OLLAMA_HOST", raising=False)
    monkeypatch.delenv("OLLAMA_API_BASE", raising=False)
    guess = made("backbone=[gpt-4o-mini,llama3.2-1b,llama3.2-3b]", "method=[locomo]")
    hosted, small, large = guess.backbones
    assert guess.hours == pytest.approx(max(hosted.hours, small.hours + large.hours))
    assert guess.hours > max(backbone.hours for backbone in guess.backbones)
    shown = report(guess)
    assert "llama3_2_1b, llama3_2_3b share one server (Ollama at http://127.0.0.1:11434)" in shown
    assert "gpt_4o_mini," not in shown.partition("Hours of all: ")[2]


@pytest.mark.parametrize(
    ("settings", "server"),
    [
        ({"model": "openai/gpt-4o"}, "hosted, it"),
        ({"model": "hosted_vllm/own", "api_base": "http://127.0.0.1:8000/v1"}, "http://127.0.0.1:8000/v1"),
        ({"model": "ollama_chat/llama3.2:1b", "api_base": "gpu-box"}, "Ollama at http://gpu-box:11434"),
    ],
)
def test_a_server_is_told_by_its_address_and_a_hosted_model_by_its_name(settings: dict, server: str) -> None:
    assert server_of("it", "amem.lm.providers.litellm.LiteLLMProvider", settings) == server


def test_a_model_in_this_process_is_served_by_this_machine() -> None:
    assert server_of("it", "amem.lm.providers.embedded.EmbeddedProvider", {"model": None}) == "this machine"


def test_repeats_multiply_everything_but_the_longest_chain() -> None:
    (once,) = rows(made("backbone=[scripted]", "method=[amem]"))
    (thrice,) = rows(made("backbone=[scripted]", "method=[amem]", "repeats=3"))
    assert thrice.calls == pytest.approx(3 * once.calls)
    assert thrice.chain_seconds == pytest.approx(once.chain_seconds)


def test_more_calls_side_by_side_shorten_the_hours_down_to_the_longest_chain() -> None:
    (row,) = rows(made("backbone=[scripted]", "method=[amem]"))
    assert row.hours(1) == pytest.approx(row.work_seconds / 3600)
    assert row.hours(10**6) == pytest.approx(row.chain_seconds / 3600)


def test_questions_that_no_window_holds_are_announced(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [*SLICE, "backbone=[scripted]", "method=[amem]", "backbones.scripted.settings.window=1100"]
    assert main(["estimate", *arguments, "--no-records"]) == 0
    assert "questions would fail" in capsys.readouterr().out


def test_the_command_needs_no_key_writes_json_and_makes_no_record(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    out = tmp_path / "estimate.json"
    arguments = [*SLICE, "backbone=[gpt-4o-mini,llama3.2-1b]", "method=[amem]", f"results_dir={tmp_path}"]
    assert main(["estimate", *arguments, "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "gpt_4o_mini" in shown and "guessed" in shown and "0.55 s a call" in shown
    value = json.loads(out.read_text())
    assert [backbone["name"] for backbone in value["backbones"]] == ["gpt_4o_mini", "llama3_2_1b"]
    assert value["backbones"][0]["rows"][0]["by_purpose"]["note_construct"]["calls"] > 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["estimate.json"]


def test_a_scaling_run_asks_nothing_that_could_be_estimated(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["estimate", "experiment=scaling", "dataset=sample", "--no-records"]) == 2
    shown = capsys.readouterr()
    assert "a scaling run asks a model nothing" in shown.err and shown.out == ""


def test_against_prints_the_errors_and_refuses_overrides(run_folder: Path, capsys) -> None:
    assert main(["estimate", "--against", str(run_folder)]) == 0
    assert "Error of the estimate against the run" in capsys.readouterr().out
    assert main(["estimate", "seed=1", "--against", str(run_folder)]) == 2


def test_a_run_on_other_data_than_is_found_now_is_refused(run_folder: Path) -> None:
    config = configuration_of(run_folder)
    check_data(run_folder, config)
    config.dialsim = DialSimConfig(source="sample")
    with pytest.raises(ResultsError, match=r"what is found now is dialsim-sample.*AMEM_DATA_DIR"):
        check_data(run_folder, config)


def test_a_run_that_asked_with_other_prompts_is_told(run_folder: Path) -> None:
    config = configuration_of(run_folder)
    assert other_prompts(run_folder, config) == []
    config.prompts.folder = "small"
    assert other_prompts(run_folder, config) == ["scripted"]


def test_a_sweep_over_k_builds_its_memory_once() -> None:
    (alone,) = rows(made("backbone=[scripted]", "method=[amem]"))
    first, second = rows(made("backbone=[scripted]", "method=[amem]", "retrieve.sweep=[3,5]"))
    assert first.calls == alone.calls
    assert set(second.by_purpose) < set(first.by_purpose) and "note_construct" not in second.by_purpose


DIALSIM = ["dataset=dialsim_sample", "backbone=[scripted]", "link.k=1", "retrieve.k=3"]


def test_a_pass_of_dialsim_has_its_calls_exactly_where_all_of_it_is_run_dry(tmp_path: Path) -> None:
    overrides = [*DIALSIM, "method=[amem,memorybank]", f"results_dir={tmp_path}"]
    with ExitStack() as stack:
        prepared = prepare(compose(overrides), stack)
        execute(prepared)
    guess = estimate(configuration_of(prepared.folder), records=tmp_path / "records.sqlite", questions=1000)
    for _, method, calls, prompt_tokens, _ in errors(guess, asked_in(prepared.folder)):
        assert calls == pytest.approx(0, abs=0.15), method
        assert abs(prompt_tokens) < 0.15, method


def test_a_long_pass_is_run_dry_in_part_and_scaled(monkeypatch) -> None:
    (whole,) = rows(estimate(compose([*DIALSIM, "method=[amem]"]), records=None))
    monkeypatch.setattr("eval.estimate.dry_run.MOST_CALLS", 100)
    (part,) = rows(estimate(compose([*DIALSIM, "method=[amem]"]), records=None))
    assert part.calls == pytest.approx(whole.calls, rel=0.15)


def test_dialsim_is_estimated_by_the_entry_point_that_users_call(capsys) -> None:
    assert (
        main(["estimate", "experiment=table2", "profile=dialsim_paper", "dialsim.source=sample", "--no-records"]) == 0
    )
    shown = capsys.readouterr().out
    assert "DialSim sample" in shown and "gpt_4o_mini" in shown
