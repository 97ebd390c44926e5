"""What show-prompts prints is what the pack would send."""

from __future__ import annotations

from pathlib import Path

import pytest

from amem.settings import AMemSettings
from eval.__main__ import main
from eval.commands.show_prompts import requests
from eval.prompts import load_pack
from tests.amem.a_mem import RELEASED

VARIANTS = {
    "paper": (AMemSettings(), ["note_link", "note_evolve"]),
    "released": (AMemSettings(**RELEASED), ["note_evolve_joint", "query_keywords"]),
}


@pytest.mark.parametrize("pack", ["default", "small"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_kind_of_call_is_shown_once_and_a_question_of_each_category(pack: str, variant: str) -> None:
    settings, own = VARIANTS[variant]
    purposes = [request.purpose for _, request in requests(load_pack(pack), settings)]
    assert purposes == [
        "note_construct",
        *own,
        "answer_short",
        "answer_temporal",
        "answer_short",
        "answer_short",
        "answer_adversarial",
    ]


def test_messages_schema_and_sampling_are_printed_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show-prompts"]) == 0
    printed = capsys.readouterr().out
    for _, request in requests(load_pack("default"), AMemSettings()):
        assert all(message.content in printed for message in request.messages)
    assert '"links"' in printed
    assert "max_tokens 1000 (the backbone's: temperature, top_p, seed, stop)" in printed


def test_one_call_can_be_picked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show-prompts", "--call", "note_link"]) == 0
    assert capsys.readouterr().out.count("===") == 1


def test_a_pack_of_one_s_own_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shipped = load_pack("default").folder
    (tmp_path / "calls" / "query_keywords").mkdir(parents=True)
    (tmp_path / "pack.yaml").write_text(f"name: own\nextends: {shipped}\n", "utf-8")
    (tmp_path / "calls" / "query_keywords" / "20-user.j2").write_text("Mots-clés : {{ question }}", "utf-8")
    chosen = ["--pack", str(tmp_path), "--method", "amem/released", "--call", "query_keywords"]
    assert main(["show-prompts", *chosen]) == 0
    assert "Prompt pack own" in (printed := capsys.readouterr().out)
    assert "--- user\nMots-clés : " in printed


def test_an_unknown_pack_is_an_error_that_lists_the_shipped_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show-prompts", "--pack", "smal"]) == 2
    assert "shipped are default, small" in capsys.readouterr().err


def test_a_method_that_is_no_a_mem_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show-prompts", "--method", "locomo"]) == 2
    assert "no variant of A-Mem" in capsys.readouterr().err


def test_an_unknown_call_is_an_error_that_lists_the_calls(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show-prompts", "--call", "note_lonk"]) == 2
    assert "there are answer_adversarial, answer_short" in (printed := capsys.readouterr()).err
    assert not printed.out
