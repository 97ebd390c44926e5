"""Every kind of repair and failure is counted by purpose."""

from __future__ import annotations

from typing import Any

from eval.tables.meta import RunMeta
from eval.tables.usable import cut_replies, usable_table
from tests.eval.scoring.made_answers import manifest


def call(purpose: str, repairs: tuple[str, ...] = (), failure: str | None = None) -> tuple[str, str, dict[str, Any]]:
    return "tiny", "amem", {"purpose": purpose, "repairs": list(repairs), "failure": failure}


def rows(*calls: tuple[str, str, dict[str, Any]]) -> dict[str, list[str]]:
    (section,) = usable_table(calls, RunMeta.from_manifest(manifest())).sections
    return {row.label: [cell.text for cell in row.cells] for row in section.rows}


def test_repairs_second_questions_and_failures_are_counted_by_purpose_and_kind() -> None:
    found = rows(
        call("note_link"),
        call("note_link", ("code_fence", "scalar_type")),
        call("note_link", ("code_fence",)),
        call("answer_short", ("asked_again",)),
        call("answer_short", failure="schema"),
    )
    assert found["note_link"] == ["3", "0", "2", "0", "0", "code_fence 2, scalar_type 1"]
    assert found["answer_short"] == ["2", "0", "0", "1", "1", "asked_again 1, schema 1"]


def test_cut_replies_are_counted_and_are_not_mended_unless_their_form_was() -> None:
    found = rows(
        call("answer_short"),
        call("answer_short", ("filled_length_limit",)),
        call("answer_short", ("cut_by_max_tokens",)),
        call("answer_short", ("cut_off",)),
    )
    assert found["answer_short"][:3] == ["4", "3", "1"]


def test_a_note_names_the_methods_whose_replies_were_cut_and_the_calls() -> None:
    meta = RunMeta.from_manifest(manifest())
    cut = [call("note_construct", ("filled_length_limit",)), call("note_construct"), call("answer_short")]
    (note,) = cut_replies(cut, meta)
    assert "A-Mem note_construct 1 of 2. " in note
    assert cut_replies([call("answer_short")], meta) == []


def test_a_record_a_row_holds_the_same() -> None:
    (record,) = usable_table([call("note_link", ("syntax",))], RunMeta.from_manifest(manifest())).records
    assert (record["calls"], record["mended"], record["kinds"]) == (1, 1, "syntax 1")
