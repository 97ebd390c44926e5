"""The figure of evidence tells the turns' own words from text that was written from them."""

from __future__ import annotations

from eval.figures.against_f1 import evidence_against_f1
from eval.figures.drawn import Drawn
from eval.scoring.scores import score_answers
from eval.tables.meta import RunMeta
from tests.eval.scoring.made_answers import answer, manifest


def drawn(derived: bool) -> Drawn:
    recall = {"text_hash": "0", "tokens": 9, "sources": [{"turn": "D1:1", "derived": derived}], "trace": {}}
    scores = score_answers([answer(recall=recall)], metrics=["f1_amem_set"])
    return evidence_against_f1(scores, RunMeta.from_manifest(manifest()))


def test_a_method_that_recalls_what_derives_from_a_turn_has_its_verbatim_share_beside() -> None:
    gists = drawn(derived=True)
    assert "100 % of the evidence, verbatim or derived (0 % verbatim)" in gists.alt
    assert b"own words alone" in gists.svg()


def test_where_all_is_verbatim_nothing_stands_beside() -> None:
    turns = drawn(derived=False)
    assert "verbatim)" not in turns.alt
    assert b"own words alone" not in turns.svg()
