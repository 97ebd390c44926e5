"""What a scaling run can't measure is refused before anything is encoded, naming the key and what it may be."""

from __future__ import annotations

from pathlib import Path

import pytest

from amem.errors import ConfigurationError
from eval.composition import compose
from eval.scaling.config import IvfConfig, ScalingConfig
from eval.scaling.run import run


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("scaling.sizes=[5]", r"scaling.sizes must be at least 20 \(2 × scaling.k\)"),
        ("scaling.sizes=[]", "scaling.sizes is empty"),
        ("scaling.sizes=[200,1000,200]", "scaling.sizes holds 200 twice"),
        ("scaling.vectors=[text]", "text_like"),
        ("scaling.vectors=[]", "scaling.vectors is empty"),
        ("scaling.vectors=[random,random]", "scaling.vectors holds random twice"),
        ("scaling.batch=10", "must hold"),
        ("scaling.threads=0", "scaling.threads must be at least 1"),
        ("scaling.queries=3000000000", "scaling.queries must be .* at most 2147483647"),
        ("scaling.call_seconds=-1", "scaling.call_seconds must be at least 0"),
        ("scaling.call_seconds=nan", "scaling.call_seconds must be at least 0"),
        ("scaling.hnsw.m=0", "scaling.hnsw.m must be at least 2"),
        ("scaling.hnsw.m=1", "scaling.hnsw.m must be at least 2"),
        ("scaling.hnsw.ef_construction=0", "scaling.hnsw.ef_construction must be at least 1"),
        ("scaling.hnsw.ef=[16,0]", "scaling.hnsw.ef must be at least 1"),
        ("scaling.hnsw.ef=[]", "scaling.hnsw.ef is empty"),
        ("scaling.hnsw.ef=[16,16]", "scaling.hnsw.ef holds 16 twice"),
        ("scaling.ivf.probes=[0]", "scaling.ivf.probes must be at least 1"),
        ("scaling.ivf.probes=[]", "scaling.ivf.probes is empty"),
        ("scaling.ivf.lists_per_root=0", "scaling.ivf.lists_per_root must be more than 0"),
        ("scaling.ivf.lists_per_root=.inf", "scaling.ivf.lists_per_root"),
        ("scaling.ivf.lists_per_root=40", "at most 31.6"),
        ("seed=-1", "seed must be at least 0"),
        ("scaling.size=[100]", "did you mean sizes"),
        ("method=[locomo,amem]", r"can't fill locomo \(FullContext\); it knows AMem, MemoryBank, ReadAgent"),
    ],
)
def test_a_measurement_that_makes_no_sense_is_refused(tmp_path: Path, override: str, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        run(compose(["experiment=scaling", "dataset=sample", f"results_dir={tmp_path}", override]))
    assert list(tmp_path.iterdir()) == []


def test_as_many_lists_as_vectors_are_not_refused() -> None:
    ScalingConfig(sizes=[100], ivf=IvfConfig(lists_per_root=10)).check()
